"""Check the deal of a finished round: python verify_deal.py URL-or-file-or-"-" [--commitment HEX]"""

import hashlib, hmac, json, re, sys, urllib.request

UNSAID = {"engine_set_aside": True, "engine_from": None, "engine_draws": []}  # old deals do not say: all were so
UNSAID |= {"first_seat": 0, "first_seat_drawn": False, "starter": 0}
RULES = dict.fromkeys(("engine_selection", "round_starter", "first_round_starter", "hand_size"))  # unsaid in old deals
WAYS = ("set_aside", "holder_all_draw", "holder_turn_draw", "holder_or_next_lower", "highest_held", "starter_highest")
STARTERS = ("rotate", "engine_holder", "left_of_engine_holder", "lowest_total")


def read(where):
    if where.startswith(("http://", "https://")):
        return urllib.request.urlopen(where, timeout=20).read()
    return sys.stdin.buffer.read() if where == "-" else open(where, "rb").read()


def is_deal(deal):
    seeds, hands, draws, layer = deal["client_seeds"], deal["hands"], deal["engine_draws"], deal["engine_from"]
    seats = [deal["first_seat"], deal["starter"], 0 if layer is None else layer, *(draw["seat"] for draw in draws)]
    is_hex = all(re.fullmatch("[0-9a-f]{64}", deal[name]) for name in ("secret", "commitment"))
    is_table = re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", deal["table"])
    is_listed = all(type(each) is list for each in (seeds, hands, draws, deal["order"], *hands))
    is_numbered = all(type(each) is int and 0 < each < 20 for each in (deal["round"], deal["set_max_pip"]))
    is_said = all(type(deal[name]) is bool for name in ("engine_set_aside", "first_seat_drawn"))
    is_tiled = all(type(tile) is str for tile in (deal["engine"], *(draw["tile"] for draw in draws))) and hands[0]
    is_seated = all(type(seat) is int and 0 <= seat < len(hands) for seat in seats) and len(hands) == len(seeds) > 1
    return is_hex and is_table and is_listed and is_numbered and is_said and is_tiled and is_seated


def is_ruled(deal):
    how, starter, begins, size = (deal[name] for name in RULES)
    is_begun = type(begins) is str and re.fullmatch("seat_([0-9]|1[01])|random", begins)
    return how in WAYS and starter in STARTERS and is_begun and type(size) is int and 0 < size < 200


def stream(deal, purpose):
    seeds = [hashlib.sha256(seed.encode()).hexdigest() for seed in deal["client_seeds"]]
    message = "\n".join([purpose, deal["table"], str(deal["round"]), *seeds])
    key = hmac.digest(bytes.fromhex(deal["secret"]), message.encode(), "sha256")
    blocks = (hmac.digest(key, counter.to_bytes(8, "big"), "sha256") for counter in range(1 << 40))
    return (int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4))


def below(bound, words):
    return next(word for word in words if word < 2**32 - 2**32 % bound) % bound


def order_of(deal):
    words = stream(deal, "mexican-train/deal/1")
    order = [f"{high}-{low}" for high in range(deal["set_max_pip"] + 1) for low in range(high + 1)]
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def differences(deal, order, noted):
    engine, hands, aside = deal["engine"], deal["hands"], deal["engine_set_aside"]
    if hashlib.sha256(bytes.fromhex(deal["secret"])).hexdigest() != deal["commitment"]:
        yield "the secret is not the one that was committed to"
    if noted is not None and noted.lower() != deal["commitment"]:
        yield "the commitment is not the one that you noted"
    if deal["order"] != order:
        yield "the order is not the one that the secret and the seeds give"
    if engine not in order or len(set(engine.split("-"))) > 1:
        yield "the engine is not a double of the set"
    if deal["engine_selection"] and aside != (deal["engine_selection"] == "set_aside"):
        yield "engine_set_aside is not as engine_selection wants it"
    tiles, size = [tile for tile in order if not aside or tile != engine], deal["hand_size"] or len(hands[0])
    for seat, hand in enumerate(hands):
        dealt = sorted(tiles[seat * size :][:size], key=lambda tile: [int(end) for end in tile.split("-")])
        if len(hand) != size or hand != dealt:
            yield f"the hand of seat {seat} is not the one that the order gives"
    begins, drawn = deal["first_round_starter"], deal["first_seat_drawn"]
    if begins and drawn != (begins == "random"):
        yield "first_seat_drawn is not as first_round_starter wants it"
    must = 0 if begins in (None, "random") else int(begins[len("seat_") :])
    must = below(len(hands), stream(deal, "mexican-train/first-seat/1")) if drawn else must
    if deal["round"] == 1 and deal["first_seat"] != must:
        yield f"the first seat is not seat {must}, as it had to be"
    yield from engine_differences(deal, deal["first_seat"], deal["engine_from"], len(hands), tiles[len(hands) * size :])


def engine_differences(deal, first, layer, seats, boneyard):
    engine, draws = deal["engine"], [(draw["seat"], draw["tile"]) for draw in deal["engine_draws"]]
    if deal["engine_set_aside"] and (layer is not None or draws):
        yield "an engine that was set aside is laid by nobody and drawn for by nobody"
    elif not deal["engine_set_aside"]:
        drawn, held = [tile for _, tile in draws], [] if layer is None else deal["hands"][layer]
        if drawn != boneyard[: len(drawn)]:
            yield "the tiles drawn for the engine are not those that follow the hands in the order"
        if [seat for seat, _ in draws] != [(first + at) % seats for at in range(len(draws))]:
            yield "the seats did not draw for the engine in turn from the first seat"
        if engine not in held and (layer, engine) not in draws:
            yield "the seat that is said to have laid the engine did not have it"
        at = drawn.index(engine) if engine in drawn else -1
        until = at - at % seats + seats if at >= 0 else ((layer or 0) - first) % seats
        how, last = deal["engine_selection"], min(until, len(boneyard))
        long = "holder_all_draw" if at >= 0 else "starter_highest"
        if len(drawn) not in ((at + 1, last) if how is None else (last,) if how == long else (at + 1,)):
            yield "the drawing for the engine did not end where it had to"
    may = starters(deal, first, layer, seats)
    must = " or ".join(map(str, may))
    if deal["starter"] not in may:
        yield f"the starter is not seat {must}, as it had to be"


def starters(deal, first, layer, seats):
    if layer is None or deal["engine_set_aside"]:
        return [first]
    after, how = (layer + 1) % seats, deal["round_starter"]
    if how is None:
        return sorted({first, layer, after})
    is_layers = how == "engine_holder" or deal["engine_selection"] == "starter_highest"
    return [after if how == "left_of_engine_holder" else layer if is_layers else first]


try:
    where, *option = sys.argv[1:]
    noted = option[1] if option else None
    told = json.loads(read(where).decode())
    deal = told if UNSAID.keys() & told.keys() else UNSAID | told
    is_old = not RULES.keys() & told.keys()
    deal = RULES | deal if is_old else deal
    if option not in ([], ["--commitment", noted]) or not is_deal(deal) or not (is_old or is_ruled(deal)):
        raise ValueError
    found = list(differences(deal, order_of(deal), noted))
except Exception:
    sys.exit(print("Name the URL or the file of a finished round's deal; this could not be read as one.") or 2)
print(f"NOT FAIR: {'; '.join(found)}." if found else f"Fair: round {deal['round']} of table {deal['table']}.")
sys.exit(1 if found else 0)
