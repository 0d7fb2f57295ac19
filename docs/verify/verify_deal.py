"""Check the deal of a finished round: python verify_deal.py URL-or-file-or-"-" [--commitment HEX]"""

import hashlib, hmac, json, re, sys, urllib.request


def read(where):
    if where.startswith(("http://", "https://")):
        return urllib.request.urlopen(where, timeout=20).read()
    return sys.stdin.buffer.read() if where == "-" else open(where, "rb").read()


def is_deal(deal):
    seeds, hands, numbers = deal["client_seeds"], deal["hands"], (deal["round"], deal["set_max_pip"])
    is_hex = all(re.fullmatch("[0-9a-f]{64}", deal[name]) for name in ("secret", "commitment"))
    is_table = re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", deal["table"])
    is_listed = all(type(each) is list for each in (seeds, hands, deal["order"], *hands))
    is_numbered = all(type(each) is int and 0 < each < 20 for each in numbers)
    return is_hex and is_table and is_listed and is_numbered and len(hands) == len(seeds) > 1 and hands[0]


def order_of(deal):
    seeds = [hashlib.sha256(seed.encode()).hexdigest() for seed in deal["client_seeds"]]
    message = "\n".join(["mexican-train/deal/1", deal["table"], str(deal["round"]), *seeds])
    key = hmac.digest(bytes.fromhex(deal["secret"]), message.encode(), "sha256")
    blocks = (hmac.digest(key, counter.to_bytes(8, "big"), "sha256") for counter in range(1 << 40))
    words = (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))
    order = [f"{high}-{low}" for high in range(deal["set_max_pip"] + 1) for low in range(high + 1)]
    for last in range(len(order) - 1, 0, -1):
        chosen = next(word for word in words if word < 2**32 - 2**32 % (last + 1)) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def differences(deal, order, noted):
    if hashlib.sha256(bytes.fromhex(deal["secret"])).hexdigest() != deal["commitment"]:
        yield "the secret is not the one that was committed to"
    if noted is not None and noted.lower() != deal["commitment"]:
        yield "the commitment is not the one that you noted"
    if deal["order"] != order:
        yield "the order is not the one that the secret and the seeds give"
    tiles, size = [tile for tile in order if tile != deal["engine"]], len(deal["hands"][0])
    for seat, hand in enumerate(deal["hands"]):
        dealt = sorted(tiles[seat * size :][:size], key=lambda tile: [int(end) for end in tile.split("-")])
        if len(tiles) == len(order) or len(hand) != size or hand != dealt:
            yield f"the hand of seat {seat} is not the one that the order gives"


try:
    where, *option = sys.argv[1:]
    noted = option[1] if option else None
    deal = json.loads(read(where).decode())
    if option not in ([], ["--commitment", noted]) or not is_deal(deal):
        raise ValueError
    found = list(differences(deal, order_of(deal), noted))
except Exception:
    sys.exit(print("Name the URL or the file of a finished round's deal; this could not be read as one.") or 2)
print(f"NOT FAIR: {'; '.join(found)}." if found else f"Fair: round {deal['round']} of table {deal['table']}.")
sys.exit(1 if found else 0)
