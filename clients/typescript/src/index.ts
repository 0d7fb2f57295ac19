/**
 * A client of the Mexican Train game server. It has every call of the schema with its types, and adds what a schema
 * cannot express: tokens, retries, waiting for changes, and events.
 */

import createFetchClient, { type Client as FetchClient } from "openapi-fetch";

import { followed, followedMine, type MyTableChanged, type Stream, type TableEvent } from "./events.js";
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
  /** The server's URL without a path, such as `http://127.0.0.1:8000`. */
  server: string;
  token?: string;
  /** The language of the server's texts, as in `Accept-Language`: `nl`, or `hu, en` for the first that it supports. */
  language?: string;
  patience?: Partial<Patience>;
  fetch?: Fetch;
}

/** If `signal` is aborted, a waiting generator ends at once and throws the signal's reason. */
interface Stoppable {
  signal?: AbortSignal | undefined;
}

/** Which tables a list contains, and how many. */
export interface Listed {
  status?: Schemas["TableStatus"];
  visibility?: Schemas["Visibility"];
  limit?: number;
}

/** The media types of `data` and `error`. Request other types, such as pictures, with `parseAs: "text"`. */
type Json = "application/json" | "application/problem+json";

export interface Client extends FetchClient<paths, Json> {
  /** The caller's token. Set it to the token that `players/guest` answers. Without one the caller is a spectator. */
  token: string | undefined;
  /**
   * Yields the position now, and again after every change, until the table is over. `wait` is how many seconds the
   * server holds an answer. With `said` the last move has a sentence that describes it, in the client's language.
   */
  follow(table: string, options?: Stoppable & { wait?: number; said?: boolean }): AsyncGenerator<Position, void, void>;
  /** Yields the first page of public tables and the caller's own, now and after every change, until you end it. */
  followTables(options?: Stoppable & Listed & { wait?: number }): AsyncGenerator<Schemas["TableAnswer"][], void, void>;
  /** Does the same for the tables where the caller sits. They have `your_turn`. */
  followMyTables(options?: Stoppable & Listed & { wait?: number }): AsyncGenerator<Schemas["MyTableAnswer"][], void, void>;
  /** Yields a table's events after the version `since`, or from now, until it is over. No event is lost or repeated. */
  events(
    table: string,
    options?: Stoppable & { since?: number | undefined; said?: boolean },
  ): AsyncGenerator<TableEvent, void, void>;
  /** Yields the changes of the caller's tables, after the event with the id `since` or from now, until you end it. */
  myEvents(options?: Stoppable & { since?: string | undefined }): AsyncGenerator<MyTableChanged, void, void>;
  /** Yields all entries of the log, or those after the number `after`. Gets one page after the other. */
  moves(
    table: string,
    options?: Stoppable & { after?: number; said?: boolean },
  ): AsyncGenerator<Schemas["LoggedMove"], void, void>;
}

/** The server refused the request, and nothing has changed. `problem.code` is stable. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
  }
}

/** Milliseconds to pause if a server that was asked to wait answers at once that nothing has changed. */
const UNHELD = 250;
/** The longest page of a log. */
const PAGE = 500;
const KEY = "Idempotency-Key";
const POSITION = "/api/v1/tables/{table_id}/position";
const MOVES = "/api/v1/tables/{table_id}/moves";
const TABLES = "/api/v1/tables";
const MY_TABLES = "/api/v1/players/me/tables";
const SAYING = { said: true } as const;

/** Returns a version 4 UUID. `crypto.randomUUID` does not exist on pages loaded over http from another machine. */
function newKey(): string {
  if (!globalThis.crypto) throw new Error("Start Node.js 18 with --experimental-global-webcrypto");
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * `GET`, `POST` and so on are openapi-fetch's methods and return `{data, error, response}`. `the` returns the data, or
 * throws the error.
 *
 *     const client = createClient({ server: "http://127.0.0.1:8000" });
 *     client.token = the(await client.POST("/api/v1/players/guest", { body: { name: "Alice" } })).token;
 */
export function createClient(options: Options): Client {
  const { server, token, language, patience, fetch = (request) => globalThis.fetch(request) } = options;
  const patient = { ...PATIENCE, ...patience };
  const api = createFetchClient<paths, Json>({ baseUrl: server, fetch: retrying(fetch, patient) });
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
  /** The options of a request that is part of a long-running generator. */
  const going = (signal: AbortSignal, patience: Patience) => ({ signal, fetch: retrying(fetch, patience) });

  /** Yields the answer of `ask` now, and again after every change. */
  async function* held<Data>(stop: AbortSignal, ask: (init: Init) => Promise<Answer<Data>>) {
    let headers: Record<string, string> = {};
    let patience = patient;
    for (;;) {
      const askedAt = performance.now();
      const answer = await ask({ headers, ...going(stop, patience) });
      patience = whileAway(patient);
      if (answer.response.status === 304) {
        if (performance.now() - askedAt < 1000) await sleep(UNHELD, stop);
        continue;
      }
      const fresh = the(answer);
      headers = { "If-None-Match": answer.response.headers.get("ETag") ?? "" };
      yield fresh;
    }
  }

  const follow: Client["follow"] = (table, { wait = 25, said, signal } = {}) =>
    stoppable(signal, async function* (stop) {
      const params = { path: { table_id: table }, query: { wait, ...(said ? SAYING : {}) } };
      for await (const position of held(stop, (init) => api.GET(POSITION, { params, ...init }))) {
        yield position;
        if (position.status === "finished" || position.status === "cancelled") return;
      }
    });

  const followTables: Client["followTables"] = ({ wait = 25, signal, ...listed } = {}) =>
    stoppable(signal, async function* (stop) {
      const params = { query: { wait, ...listed } };
      for await (const page of held(stop, (init) => api.GET(TABLES, { params, ...init }))) yield page.results;
    });

  const followMyTables: Client["followMyTables"] = ({ wait = 25, signal, ...listed } = {}) =>
    stoppable(signal, async function* (stop) {
      const params = { query: { wait, ...listed } };
      for await (const page of held(stop, (init) => api.GET(MY_TABLES, { params, ...init }))) yield page.results;
    });

  /** Yields the events of a stream below `/api/v1/`. Throws a refusal as an error. */
  async function* streamed<Event>(
    path: string,
    signal: AbortSignal,
    run: (stream: Stream) => AsyncGenerator<Event, void, void>,
  ) {
    const url = `${server.replace(/\/+$/, "")}/api/v1/${path}`;
    try {
      yield* run({ url, headers: own, fetch, patience: patient, signal });
    } catch (refused) {
      throw refused instanceof Response ? await errorOf(refused) : refused;
    }
  }

  const events: Client["events"] = (table, { since, said, signal } = {}) =>
    stoppable(signal, (stop) => {
      const path = `tables/${encodeURIComponent(table)}/events${said ? "?said=true" : ""}`;
      const params = { path: { table_id: table } };
      const present = async (patience: Patience) =>
        the(await api.GET(POSITION, { params, ...going(stop, patience) })).version;
      return streamed(path, stop, (stream) => followed(stream, present, since));
    });

  const myEvents: Client["myEvents"] = ({ since, signal } = {}) =>
    stoppable(signal, (stop) => streamed("players/me/events", stop, (stream) => followedMine(stream, since)));

  const moves: Client["moves"] = (table, { after = 0, said, signal } = {}) =>
    stoppable(signal, async function* (stop) {
      for (let isMore = true; isMore; ) {
        const query = { after, limit: PAGE, ...(said ? SAYING : {}) };
        const params = { path: { table_id: table }, query };
        const page = the(await api.GET(MOVES, { params, signal: stop }));
        yield* page;
        isMore = page.length === PAGE;
        after = page.at(-1)?.number ?? after;
      }
    });

  const client: Client = { ...api, token, follow, followTables, followMyTables, events, myEvents, moves };
  return client;
}

/** The result of a call with openapi-fetch. */
interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The options of a request that is part of a long-running generator. */
interface Init {
  headers?: Record<string, string>;
  signal: AbortSignal;
  fetch: Fetch;
}

/** Returns the data of an answer. Throws a `ProblemError` if the server refused the call. */
export function the<Data>(answer: Answer<Data>): Exclude<Data, undefined> {
  if (!answer.response.ok) throw failure(answer.response, answer.error);
  return answer.data as Exclude<Data, undefined>;
}

function failure({ status }: Response, told: unknown): Error {
  const isProblem = typeof told === "object" && told !== null && "code" in told;
  return isProblem ? new ProblemError(told as Problem) : new Error(`${status} is not an answer of this API`);
}

async function errorOf(refused: Response): Promise<Error> {
  return failure(refused, await refused.json().catch(() => undefined));
}
