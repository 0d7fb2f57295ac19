// Check the deal of a finished round: node verify_deal.mjs URL-or-file-or-"-" [--commitment HEX]
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
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

function isDeal({ table, round, secret, commitment, client_seeds: seeds, set_max_pip: pips, order, hands }) {
  const isHex = [secret, commitment].every((text) => matches(text, /^[0-9a-f]{64}$/));
  const isTable = matches(table, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const isNumbered = [round, pips].every((each) => Number.isInteger(each) && 0 < each && each < 20);
  const isListed = [seeds, hands, order, ...hands].every(Array.isArray) && hands.length === seeds.length;
  const isText = seeds.every((seed) => Buffer.from(seed).toString() === seed);
  return isHex && isTable && isNumbered && isListed && isText && seeds.length > 1 && hands[0].length;
}

function orderOf(deal) {
  const lines = ["mexican-train/deal/1", deal.table, deal.round, ...deal.client_seeds.map(sha256)];
  const key = hmac(Buffer.from(deal.secret, "hex"), lines.join("\n"));
  const block = (counter) => hmac(key, Buffer.from(counter.toString(16).padStart(16, "0"), "hex"));
  const order = upTo(deal.set_max_pip).flatMap((high) => upTo(high).map((low) => `${high}-${low}`));
  for (let last = order.length - 1, next = 0, word; last > 0; last--) {
    do word = block(next >> 3).readUInt32BE(4 * (next++ % 8)); while (word >= 2 ** 32 - (2 ** 32 % (last + 1)));
    [order[last], order[word % (last + 1)]] = [order[word % (last + 1)], order[last]];
  }
  return order;
}

function* differences({ secret, commitment, engine, order: told, hands }, order, noted = commitment) {
  if (sha256(Buffer.from(secret, "hex")) !== commitment) yield "the secret is not the one that was committed to";
  if (noted.toLowerCase() !== commitment) yield "the commitment is not the one that you noted";
  if (!same(told, order)) yield "the order is not the one that the secret and the seeds give";
  const tiles = order.filter((tile) => tile !== engine), size = hands[0].length;
  for (const [seat, hand] of hands.entries()) {
    const dealt = tiles.slice(seat * size, (seat + 1) * size).sort((a, b) => rank(a) - rank(b));
    if (tiles.length === order.length || hand.length !== size || !same(hand, dealt))
      yield `the hand of seat ${seat} is not the one that the order gives`;
  }
}

try {
  const [where, ...option] = process.argv.slice(2), noted = option[1];
  const deal = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await read(where)));
  if ((option.length && !same(option, ["--commitment", noted])) || !isDeal(deal)) throw new Error();
  const found = [...differences(deal, orderOf(deal), noted)];
  console.log(found.length ? `NOT FAIR: ${found.join("; ")}.` : `Fair: round ${deal.round} of table ${deal.table}.`);
  process.exitCode = Math.min(found.length, 1);
} catch {
  console.log("Name the URL or the file of a finished round's deal; this could not be read as one.");
  process.exitCode = 2;
}
