// Check the deal of a finished round: node verify_deal.mjs URL-or-file-or-"-" [--commitment HEX]
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
const UNSAID = { engine_set_aside: true, engine_from: null, engine_draws: [] }; // old deals do not say: all were so
Object.assign(UNSAID, { first_seat: 0, first_seat_drawn: false, starter: 0 });
const RULES = { engine_selection: null, round_starter: null, first_round_starter: null, hand_size: null }; // old: unsaid
const WAYS = /^(set_aside|holder_all_draw|holder_turn_draw|holder_or_next_lower|highest_held|starter_highest)$/;
const STARTERS = /^(rotate|engine_holder|left_of_engine_holder|lowest_total)$/;
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const upTo = (last) => [...Array(last + 1).keys()];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const rank = (tile) => tile.split("-")[0] * 100 + Number(tile.split("-")[1]);
const matches = (text, pattern) => typeof text === "string" && pattern.test(text);
async function read(where) {
  if (!/^https?:\/\//.test(where)) return readFileSync(where === "-" ? 0 : where);
  const got = await fetch(where, { signal: AbortSignal.timeout(20000) });
  return got.ok ? got.arrayBuffer() : Promise.reject();
}

function isDeal({ client_seeds: seeds, hands, engine_draws: draws, engine_from: layer, ...deal }) {
  const isHex = [deal.secret, deal.commitment].every((text) => matches(text, /^[0-9a-f]{64}$/));
  const isTable = matches(deal.table, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const isListed = [seeds, hands, draws, deal.order, ...hands].every(Array.isArray);
  const isNumbered = [deal.round, deal.set_max_pip].every((each) => Number.isInteger(each) && 0 < each && each < 20);
  const isSaid = [deal.engine_set_aside, deal.first_seat_drawn].every((each) => typeof each === "boolean");
  const isSeat = (seat) => Number.isInteger(seat) && 0 <= seat && seat < hands.length && hands.length === seeds.length;
  const isSeated = [deal.first_seat, deal.starter, layer ?? 0, ...draws.map((draw) => draw.seat)].every(isSeat);
  const isTiled = [deal.engine, ...draws.map((draw) => draw.tile)].every((tile) => typeof tile === "string");
  const isText = seeds.every((seed) => Buffer.from(seed).toString() === seed) && hands.length > 1 && hands[0].length;
  return isHex && isTable && isListed && isNumbered && isSaid && isSeated && isTiled && isText && layer !== undefined;
}

function isRuled({ engine_selection: how, round_starter: starter, first_round_starter: begins, hand_size: size }) {
  const isBegun = matches(begins, /^(seat_([0-9]|1[01])|random)$/);
  return matches(how, WAYS) && matches(starter, STARTERS) && isBegun && Number.isInteger(size) && 0 < size && size < 200;
}

function* stream(deal, purpose) {
  const message = [purpose, deal.table, deal.round, ...deal.client_seeds.map(sha256)].join("\n");
  const key = hmac(Buffer.from(deal.secret, "hex"), message);
  for (let counter = 0; ; counter++) {
    const block = hmac(key, Buffer.from(counter.toString(16).padStart(16, "0"), "hex"));
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function below(bound, words) {
  let word;
  do word = words.next().value; while (word >= 2 ** 32 - (2 ** 32 % bound));
  return word % bound;
}

function orderOf(deal) {
  const words = stream(deal, "mexican-train/deal/1");
  const order = upTo(deal.set_max_pip).flatMap((high) => upTo(high).map((low) => `${high}-${low}`));
  for (let last = order.length - 1; last > 0; last--) {
    const chosen = below(last + 1, words);
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

function* differences(deal, order, noted = deal.commitment) {
  const { engine, hands, commitment, engine_set_aside: aside, engine_selection: how } = deal;
  const { first_round_starter: begins, first_seat_drawn: drawn } = deal, size = deal.hand_size ?? hands[0].length;
  if (sha256(Buffer.from(deal.secret, "hex")) !== commitment) yield "the secret is not the one that was committed to";
  if (noted.toLowerCase() !== commitment) yield "the commitment is not the one that you noted";
  if (!same(deal.order, order)) yield "the order is not the one that the secret and the seeds give";
  if (!order.includes(engine) || new Set(engine.split("-")).size > 1) yield "the engine is not a double of the set";
  if (how && aside !== (how === "set_aside")) yield "engine_set_aside is not as engine_selection wants it";
  const tiles = order.filter((tile) => !aside || tile !== engine);
  for (const [seat, hand] of hands.entries()) {
    const dealt = tiles.slice(seat * size, (seat + 1) * size).sort((a, b) => rank(a) - rank(b));
    if (hand.length !== size || !same(hand, dealt))
      yield `the hand of seat ${seat} is not the one that the order gives`;
  }
  if (begins && drawn !== (begins === "random")) yield "first_seat_drawn is not as first_round_starter wants it";
  const chosen = begins === null || begins === "random" ? 0 : Number(begins.slice("seat_".length));
  const must = drawn ? below(hands.length, stream(deal, "mexican-train/first-seat/1")) : chosen;
  if (deal.round === 1 && deal.first_seat !== must) yield `the first seat is not seat ${must}, as it had to be`;
  yield* engineDifferences(deal, deal.first_seat, deal.engine_from, hands.length, tiles.slice(hands.length * size));
}

function* engineDifferences({ engine, engine_draws: draws, ...deal }, first, layer, seats, boneyard) {
  if (deal.engine_set_aside && (layer !== null || draws.length))
    yield "an engine that was set aside is laid by nobody and drawn for by nobody";
  else if (!deal.engine_set_aside) {
    const drawn = draws.map((draw) => draw.tile), held = layer === null ? [] : deal.hands[layer];
    if (!same(drawn, boneyard.slice(0, drawn.length)))
      yield "the tiles drawn for the engine are not those that follow the hands in the order";
    if (draws.some((draw, at) => draw.seat !== (first + at) % seats))
      yield "the seats did not draw for the engine in turn from the first seat";
    if (!held.includes(engine) && !draws.some((draw) => draw.seat === layer && draw.tile === engine))
      yield "the seat that is said to have laid the engine did not have it";
    const at = drawn.indexOf(engine), until = at < 0 ? (layer - first + seats) % seats : at - (at % seats) + seats;
    const how = deal.engine_selection, last = Math.min(until, boneyard.length);
    const long = at < 0 ? "starter_highest" : "holder_all_draw";
    if (!(how === null ? [at + 1, last] : how === long ? [last] : [at + 1]).includes(drawn.length))
      yield "the drawing for the engine did not end where it had to";
  }
  const may = starters(deal, first, layer, seats), must = may.join(" or ");
  if (!may.includes(deal.starter)) yield `the starter is not seat ${must}, as it had to be`;
}

function starters({ engine_set_aside: aside, engine_selection: how, round_starter: starter }, first, layer, seats) {
  if (layer === null || aside) return [first];
  const after = (layer + 1) % seats, isLayers = starter === "engine_holder" || how === "starter_highest";
  if (starter === null) return [...new Set([first, layer, after])].sort((a, b) => a - b);
  return [starter === "left_of_engine_holder" ? after : isLayers ? layer : first];
}

try {
  const [where, ...option] = process.argv.slice(2), noted = option[1];
  const told = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await read(where)));
  const unsaid = Object.keys(UNSAID).filter((name) => !(name in told));
  const isOld = !Object.keys(RULES).some((name) => name in told);
  const deal = { ...(isOld ? RULES : {}), ...(unsaid.length === Object.keys(UNSAID).length ? UNSAID : {}), ...told };
  if ((option.length && !same(option, ["--commitment", noted])) || !isDeal(deal) || !(isOld || isRuled(deal)))
    throw new Error();
  const found = [...differences(deal, orderOf(deal), noted)];
  console.log(found.length ? `NOT FAIR: ${found.join("; ")}.` : `Fair: round ${deal.round} of table ${deal.table}.`);
  process.exitCode = Math.min(found.length, 1);
} catch {
  console.log("Name the URL or the file of a finished round's deal; this could not be read as one.");
  process.exitCode = 2;
}
