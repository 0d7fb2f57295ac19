"""How often one receiving host is sent anything, whoever wants it: so that nobody has this server hammer a stranger.

Counted by the name, and by each address that it leads to: many names may lead to one machine.
"""

from rest_framework.exceptions import Throttled

from rest.limits import Limit
from rest.throttles import network_of
from webhooks.addresses import Target


def seconds_to_wait(target: Target) -> float:
    """Count a message to a target that has been looked up. Returns 0 if it may be sent, else in how many seconds."""
    limit = Limit("receiver")
    try:
        for whose in dict.fromkeys((target.host.rstrip("."), *map(network_of, target.addresses))):
            limit.count(whose)
    except Throttled:
        return limit.wait()
    return 0
