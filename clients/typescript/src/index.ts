/**
 * A client of the Mexican Train game server: every call of its schema, typed, and what the schema cannot say:
 * tokens, asking again, waiting for a change, and events.
 */

import createFetchClient, { type Client as FetchClient } from "openapi-fetch";

import { followed, type TableEvent } from "./events.js";
import { type Fetch, PATIENCE, type Patience, retrying, sleep } from "./retrying.js";
import type { components, paths } from "./schema.js";

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

export interface Client extends FetchClient<paths> {
  /** Who is calling: set it to what `players/guest` has answered. Without one, a spectator. */
  token: string | undefined;
  /** The position now, and again whenever it has changed, until the table is over. */
  follow(table: string, wait?: number): AsyncGenerator<Position, void, void>;
  /** What happens at a table from the version `since` on, or from now, until it is over: no gap, nothing twice. */
  events(table: string, since?: number): AsyncGenerator<TableEvent, void, void>;
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
const webcrypto = globalThis.crypto ?? (await import("node:crypto")).webcrypto; // Node.js 18 has no global one
const POSITION = "/api/v1/tables/{table_id}/position";

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
    onRequest({ request }) {
      for (const [name, value] of Object.entries(own())) request.headers.set(name, value);
      if (request.method === "POST" && !request.url.endsWith("/moves")) {
        request.headers.set("Idempotency-Key", webcrypto.randomUUID());
      }
    },
  });

  async function* follow(table: string, wait = 25): AsyncGenerator<Position, void, void> {
    let known: Record<string, string> = {};
    for (let isOver = false; !isOver; ) {
      const askedAt = Date.now();
      const answer = await api.GET(POSITION, {
        params: { path: { table_id: table }, query: { wait } },
        headers: known,
      });
      if (answer.response.status === 304) {
        if (Date.now() - askedAt < Math.min(1000 * wait, 1000)) await sleep(UNHELD);
        continue;
      }
      const position = the(answer);
      known = { "If-None-Match": answer.response.headers.get("ETag") ?? "" };
      isOver = position.status === "finished" || position.status === "cancelled";
      yield position;
    }
  }

  async function* events(table: string, since?: number): AsyncGenerator<TableEvent, void, void> {
    const url = `${server.replace(/\/+$/, "")}/api/v1/tables/${encodeURIComponent(table)}/events`;
    const present = async () => the(await api.GET(POSITION, { params: { path: { table_id: table } } })).version;
    try {
      yield* followed({ url, headers: own, fetch, patience: patient, present }, since);
    } catch (refused) {
      throw refused instanceof Response ? new ProblemError((await refused.json()) as Problem) : refused;
    }
  }

  const client: Client = { ...api, token, follow, events };
  return client;
}

/** What a call has answered. Throws a `ProblemError` if it was refused. */
export function the<Data>(answer: { data?: Data; error?: unknown; response: Response }): Exclude<Data, undefined> {
  const { error, response } = answer;
  if (!response.ok) {
    if (typeof error === "object" && error !== null && "code" in error) throw new ProblemError(error as Problem);
    throw new Error(`${response.status} is no answer of this API`);
  }
  return answer.data as Exclude<Data, undefined>;
}
