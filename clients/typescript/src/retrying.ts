/** A fetch that repeats a request if it is lost or cannot be answered yet. All attempts have one key and number. */

import { chained, sleep } from "./stopping.js";

/**
 * How long a request is tried. All times are in milliseconds. `timeout` limits each wait for an answer, `total` the
 * whole call, and `attempts` the number of attempts. `first` is the first pause, `most` the longest. `away` is how long
 * `follow` and `events` try to reach the server again after they have had an answer, with pauses of up to half a minute.
 * `Infinity` means for ever.
 */
export interface Patience {
  timeout: number;
  total: number;
  attempts: number;
  first: number;
  most: number;
  away: number;
}

export const PATIENCE: Patience = {
  timeout: 10_000,
  total: 30_000,
  attempts: 8,
  first: 250,
  most: 8_000,
  away: 600_000,
};
export const PASSING = new Set([429, 502, 503, 504]);

export type Fetch = (request: Request) => Promise<Response>;

/** Returns the limits for `follow` and `events` after they have had an answer. */
export function whileAway(patience: Patience): Patience {
  return { ...patience, total: patience.away, attempts: Infinity, most: Math.max(patience.most, 30_000) };
}

/**
 * Wraps a fetch. Every call of this API can be repeated safely: calls that create something have an `Idempotency-Key`,
 * moves have a number, and the others have no second effect.
 */
export function retrying(fetch: Fetch, patience: Patience): Fetch {
  return async (request) => {
    const held = 1000 * Number(new URL(request.url).searchParams.get("wait") ?? 0);
    const until = performance.now() + held + patience.total;
    for (let attempt = 1; ; attempt++) {
      const outcome = await attempted(fetch, request, Math.min(held + patience.timeout, until - performance.now()));
      request.signal.throwIfAborted();
      const isPassing = !(outcome instanceof Response) || PASSING.has(outcome.status);
      const pause = Math.max(retryAfter(outcome), pauseBefore(attempt + 1, patience));
      if (!isPassing || attempt >= patience.attempts || performance.now() + pause >= until) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      await sleep(pause, request.signal);
    }
  };
}

/** Returns the answer, or the error if there is no answer. */
async function attempted(fetch: Fetch, request: Request, timeout: number): Promise<Response | Error> {
  const late = new AbortController();
  const unchain = chained(request.signal, late);
  const timer = setTimeout(() => late.abort(new Error(`No answer within ${timeout} ms`)), Math.max(timeout, 1));
  try {
    return await whole(await fetch(new Request(request.clone(), { signal: late.signal })));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
    unchain();
  }
}

/** Reads the whole body, because the connection may be lost or slow after the headers have arrived. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength ? body : null, response); // a 204 or 304 must not even have an empty body
}

/** Doubles the pause at every attempt, and shortens it by up to a half at random: not all clients return at once. */
export function pauseBefore(attempt: number, patience: Patience): number {
  return Math.min(patience.most, patience.first * 2 ** (attempt - 2)) * (1 - Math.random() / 2);
}

/** Returns the milliseconds of a `Retry-After` header; 0 without one. */
export function retryAfter(outcome: Response | Error): number {
  const told = outcome instanceof Response ? outcome.headers.get("Retry-After") : null;
  if (!told) return 0;
  const seconds = Number(told);
  return Number.isFinite(seconds) ? 1000 * seconds : Math.max(0, Date.parse(told) - Date.now()) || 0;
}
