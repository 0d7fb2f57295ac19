/**
 * A client of the Mexican Train game server: every call of its schema, typed, and what the schema cannot say:
 * tokens, asking again, waiting for a change, and events.
 */

import createFetchClient, { type Client as FetchClient } from "openapi-fetch";

import { followed, type TableEvent } from "./events.js";
import { type Fetch, PATIENCE, type Patience, retrying, whileAway } from "./retrying.js";
import type { components, paths } from "./schema.js";
import { sleep, stoppable } from "./stopping.js";

export type { components, operations, paths } from "./schema.js";
export type * from "./events.js";
export { PATIENCE, type Patience } from "./retrying.js";

export type Schemas = components["schemas"];
export type Position = Schemas["PositionAnswer"];
export type Problem = Schemas["Problem"];

export interface Options {
  /** The server's address without a path, such as `http://127.0.0.1:8000`. */
  server: string;
  token?: string;
  /** What the server answers people in, as `Accept-Language` has it: `nl`, or `hu, en` for whichever it speaks. */
  language?: string;
  patience?: Partial<Patience>;
  fetch?: Fetch;
}

/** Aborted, it ends what is waiting at once, and what was waiting throws its reason. */
interface Stoppable {
  signal?: AbortSignal | undefined;
}

export interface Client extends FetchClient<paths> {
  /** Who is calling: set it to what `players/guest` has answered. Without one, a spectator. */
  token: string | undefined;
  /** The position now, and again whenever it has changed, until the table is over. `wait`: for how many seconds to hold. */
  follow(table: string, options?: Stoppable & { wait?: number }): AsyncGenerator<Position, void, void>;
  /** What happens at a table after the version `since`, or from now, until it is over: no gap, nothing twice. */
  events(table: string, options?: Stoppable & { since?: number | undefined }): AsyncGenerator<TableEvent, void, void>;
  /** The whole log, or what follows the place `after`: one page after the other. */
  moves(table: string, options?: Stoppable & { after?: number }): AsyncGenerator<Schemas["LoggedMove"], void, void>;
}

/** The server refused: nothing has changed. `problem.code` is stable. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
  }
}

/** Milliseconds to pause where a server answers at once that nothing has changed, though it was asked to wait. */
const UNHELD = 250;
/** The longest page of a log. */
const PAGE = 500;
const KEY = "Idempotency-Key";
const POSITION = "/api/v1/tables/{table_id}/position";
const MOVES = "/api/v1/tables/{table_id}/moves";

/** A version 4 UUID: `crypto.randomUUID` is missing on a page that came over plain http from another machine. */
function newKey(): string {
  if (!globalThis.crypto) throw new Error("Start Node.js 18 with --experimental-global-webcrypto");
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * `GET`, `POST` and so on are openapi-fetch's, and answer `{data, error, response}`; `the` takes the data or throws.
 *
 *     const client = createClient({ server: "http://127.0.0.1:8000" });
 *     client.token = the(await client.POST("/api/v1/players/guest", { body: { name: "Alice" } })).token;
 */
export function createClient(options: Options): Client {
  const { server, token, language, patience, fetch = (request) => globalThis.fetch(request) } = options;
  const patient = { ...PATIENCE, ...patience };
  const api = createFetchClient<paths>({ baseUrl: server, fetch: retrying(fetch, patient) });
  const own = (): Record<string, string> => ({
    ...(client.token ? { Authorization: `Bearer ${client.token}` } : {}),
    ...(language ? { "Accept-Language": language } : {}),
  });
  api.use({
    onRequest({ request: { headers, method, url } }) {
      const isKeyed = method === "DELETE" || (method === "POST" && !url.endsWith("/moves"));
      const ours = { ...own(), ...(isKeyed && !headers.has(KEY) ? { [KEY]: newKey() } : {}) };
      for (const [name, value] of Object.entries(ours)) if (!headers.has(name)) headers.set(name, value);
    },
  });
  /** What a request within a longer going is to be sent with. */
  const going = (signal: AbortSignal, patience: Patience) => ({ signal, fetch: retrying(fetch, patience) });

  const follow: Client["follow"] = (table, { wait = 25, signal } = {}) =>
    stoppable(signal, async function* (stop) {
      let known: Record<string, string> = {};
      let patience = patient;
      for (let isOver = false; !isOver; ) {
        const askedAt = performance.now();
        const params = { path: { table_id: table }, query: { wait } };
        const answer = await api.GET(POSITION, { params, headers: known, ...going(stop, patience) });
        patience = whileAway(patient);
        if (answer.response.status === 304) {
          if (performance.now() - askedAt < 1000) await sleep(UNHELD, stop);
          continue;
        }
        const position = the(answer);
        known = { "If-None-Match": answer.response.headers.get("ETag") ?? "" };
        isOver = position.status === "finished" || position.status === "cancelled";
        yield position;
      }
    });

  const events: Client["events"] = (table, { since, signal } = {}) =>
    stoppable(signal, async function* (stop) {
      const url = `${server.replace(/\/+$/, "")}/api/v1/tables/${encodeURIComponent(table)}/events`;
      const params = { path: { table_id: table } };
      const present = async (patience: Patience) =>
        the(await api.GET(POSITION, { params, ...going(stop, patience) })).version;
      try {
        yield* followed({ url, headers: own, fetch, patience: patient, signal: stop, present }, since);
      } catch (refused) {
        throw refused instanceof Response ? await errorOf(refused) : refused;
      }
    });

  const moves: Client["moves"] = (table, { after = 0, signal } = {}) =>
    stoppable(signal, async function* (stop) {
      for (let isMore = true; isMore; ) {
        const params = { path: { table_id: table }, query: { after, limit: PAGE } };
        const page = the(await api.GET(MOVES, { params, signal: stop }));
        yield* page;
        isMore = page.length === PAGE;
        after = page.at(-1)?.number ?? after;
      }
    });

  const client: Client = { ...api, token, follow, events, moves };
  return client;
}

/** What a call has answered. Throws a `ProblemError` if it was refused. */
export function the<Data>(answer: { data?: Data; error?: unknown; response: Response }): Exclude<Data, undefined> {
  if (!answer.response.ok) throw failure(answer.response, answer.error);
  return answer.data as Exclude<Data, undefined>;
}

function failure({ status }: Response, told: unknown): Error {
  const isProblem = typeof told === "object" && told !== null && "code" in told;
  return isProblem ? new ProblemError(told as Problem) : new Error(`${status} is no answer of this API`);
}

async function errorOf(refused: Response): Promise<Error> {
  return failure(refused, await refused.json().catch(() => undefined));
}
