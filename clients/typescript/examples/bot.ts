/** A bot for any server: `node dist/examples/bot.js http://127.0.0.1:8000 INVITE` joins as a guest and plays on. */

import { type Client, createClient, type Position, ProblemError, type Schemas, the } from "../src/index.js";

const LIKED = ["pass", "draw", "end", "play", "announce", "call"]; // the best last: "announce" and "call" cost no tile

/** Returns a sort key: prefer to call and announce, then to lay the heaviest tile and remove the marker. */
function liking(move: Schemas["LegalMove"]): number {
  const pips = (move.tile ?? "0-0").split("-").reduce((sum, pip) => sum + Number(pip), 0);
  return 1000 * LIKED.indexOf(move.type) + 2 * pips + Number(!move.keep_marker);
}

/** Plays until it is another seat's turn. */
async function play(bot: Client, table: string, position: Position): Promise<void> {
  for (let now = position; now.you?.legal_moves.length; ) {
    const [first, ...others] = now.you.legal_moves;
    const { move, keep_marker } = others.reduce((a, b) => (liking(b) > liking(a) ? b : a), first!);
    const body = { move, number: now.next_number, ...(keep_marker ? { keep_marker } : {}) };
    const path = { table_id: table };
    now = the(await bot.POST("/api/v1/tables/{table_id}/moves", { params: { path }, body })).position;
  }
}

const [server, invite] = process.argv.slice(2);
if (!server || !invite) throw new Error("Name the server's address and an invite.");
const bot = createClient({ server });
bot.token = the(await bot.POST("/api/v1/players/guest", { body: { name: "TypeScript" } })).token;
const { table } = the(await bot.POST("/api/v1/tables/join", { body: { invite } }));
for await (const position of bot.follow(table.id, { said: true })) {
  console.log(position.last_move?.said ?? "The match has not begun.");
  await play(bot, table.id, position).catch((refused) => {
    if (!(refused instanceof ProblemError)) throw refused; // another seat or the clock was faster
  });
  if (position.winners) console.log(position.status, "winners:", ...position.winners.map((seat) => position.seats[seat]!.name));
}
