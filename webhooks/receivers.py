"""The limit of messages to one receiving host, for all players together, so that nobody can flood a host.

Messages are counted for the host's name and for each of its addresses, because many names can lead to one machine.
"""

from rest_framework.exceptions import Throttled

from rest.limits import Limit
from rest.throttles import network_of
from webhooks.addresses import Target


def seconds_to_wait(target: Target) -> float:
    """Count a message to a resolved target. Returns the seconds to wait; 0 means that it may be sent now."""
    limit = Limit("receiver")
    try:
        for whose in dict.fromkeys((target.host.rstrip("."), *map(network_of, target.addresses))):
            limit.count(whose)
    except Throttled:
        return limit.wait()
    return 0
