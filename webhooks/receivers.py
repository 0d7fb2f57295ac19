"""The limit of messages to one receiving host, by all players together: nobody can flood a stranger with this server.

Messages are counted by the host's name, and by each address of it, because many names may lead to one machine.
"""

from rest_framework.exceptions import Throttled

from rest.limits import Limit
from rest.throttles import network_of
from webhooks.addresses import Target


def seconds_to_wait(target: Target) -> float:
    """Count a message to a target that has been looked up. Returns the seconds to wait; 0: it may be sent now."""
    limit = Limit("receiver")
    try:
        for whose in dict.fromkeys((target.host.rstrip("."), *map(network_of, target.addresses))):
            limit.count(whose)
    except Throttled:
        return limit.wait()
    return 0
