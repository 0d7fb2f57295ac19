/**
 * A client of the Mexican Train game server: every call of its schema, typed, and what the schema cannot say:
 * tokens, asking again, waiting for a change, and events.
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

/** Which tables a list has, and how many of them. */
export interface Listed {
  status?: Schemas["TableStatus"];
  visibility?: Schemas["Visibility"];
  limit?: number;
}

/** What `data` and `error` hold. Ask for anything else, such as a picture, with `parseAs: "text"`. */
type Json = "application/json" | "application/problem+json";

export interface Client extends FetchClient<paths, Json> {
  /** Who is calling: set it to what `players/guest` has answered. Without one, a spectator. */
  token: string | undefined;
  /**
   * The position now, and again whenever it has changed, until the table is over. `wait`: for how many seconds to hold.
   * `said`: the last move has a sentence that says what it did, in the client's language.
   */
  follow(table: string, options?: Stoppable & { wait?: number; said?: boolean }): AsyncGenerator<Position, void, void>;
  /** The first page of public tables and the caller's own, now and again whenever it has changed. You end it. */
  followTables(options?: Stoppable & Listed & { wait?: number }): AsyncGenerator<Schemas["TableAnswer"][], void, void>;
  /** The same of the tables where the caller sits, with `your_turn`. */
  followMyTables(options?: Stoppable & Listed & { wait?: number }): AsyncGenerator<Schemas["MyTableAnswer"][], void, void>;
  /** What happens at a table after the version `since`, or from now, until it is over: no gap, nothing twice. */
  events(
    table: string,
    options?: Stoppable & { since?: number | undefined; said?: boolean },
  ): AsyncGenerator<TableEvent, void, void>;
  /** What changes at all tables where the caller sits, after the event with the id `since`, or from now. You end it. */
  myEvents(options?: Stoppable & { since?: string | undefined }): AsyncGenerator<MyTableChanged, void, void>;
  /** The whole log, or what follows the place `after`: one page after the other. */
  moves(
    table: string,
    options?: Stoppable & { after?: number; said?: boolean },
  ): AsyncGenerator<Schemas["LoggedMove"], void, void>;
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
const TABLES = "/api/v1/tables";
const MY_TABLES = "/api/v1/players/me/tables";
const SAYING = { said: true } as const;

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
  /** What a request within a longer going is to be sent with. */
  const going = (signal: AbortSignal, patience: Patience) => ({ signal, fetch: retrying(fetch, patience) });

  /** What `ask` answers now, and again whenever that has changed. */
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

  /** A stream of events below `/api/v1/`. A refusal is thrown as an error. */
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

/** What openapi-fetch answers. */
interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What a request within a longer going is to be sent with. */
interface Init {
  headers?: Record<string, string>;
  signal: AbortSignal;
  fetch: Fetch;
}

/** What a call has answered. Throws a `ProblemError` if it was refused. */
export function the<Data>(answer: Answer<Data>): Exclude<Data, undefined> {
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
