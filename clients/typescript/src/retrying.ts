/** A fetch that asks again when a request is lost or cannot be answered yet: the same request, so the same key and number. */

import { chained, sleep } from "./stopping.js";

/**
 * How long a request is tried, in milliseconds: each wait for an answer, all attempts, the first pause and the longest.
 * `away` is for `follow` and `events` once they have had an answer: for how long they try to reach the server again,
 * with pauses of up to half a minute. `Infinity` is for ever.
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

/** The patience of whoever goes on from request to request, and was answered before. */
export function whileAway(patience: Patience): Patience {
  return { ...patience, total: patience.away, attempts: Infinity, most: Math.max(patience.most, 30_000) };
}

/**
 * Wraps a fetch. Safe for every call of this API: creating ones carry an `Idempotency-Key`, moves their number, and the
 * others do nothing a second time.
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

/** The answer, or the error that there was instead of one. */
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

/** The answer with its body, which may be lost, or be late, after the headers have come. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength ? body : null, response); // a 204 or 304 may not even have an empty one
}

/** Doubled at every attempt, and cut by up to a half at random, so that many clients do not come back at once. */
export function pauseBefore(attempt: number, patience: Patience): number {
  return Math.min(patience.most, patience.first * 2 ** (attempt - 2)) * (1 - Math.random() / 2);
}

/** The milliseconds that a `Retry-After` asks for. */
export function retryAfter(outcome: Response | Error): number {
  const told = outcome instanceof Response ? outcome.headers.get("Retry-After") : null;
  if (!told) return 0;
  const seconds = Number(told);
  return Number.isFinite(seconds) ? 1000 * seconds : Math.max(0, Date.parse(told) - Date.now()) || 0;
}
