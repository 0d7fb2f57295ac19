/** Stopping what waits, at once and from outside: with the caller's signal, or with a generator's `return`. */

/** Aborts `controller` whenever `signal` is aborted, until what it returns is called. `AbortSignal.any` is too young. */
export function chained(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

/** Throws the signal's reason if it is aborted meanwhile. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => (clearTimeout(timer), signal.removeEventListener("abort", done), settle());
    const settle = () => (signal.aborted ? reject(signal.reason) : resolve());
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

const RETURNED = Symbol("returned");

/**
 * A generator that throws the reason when `signal` is aborted, and comes back from `return` at once. An async generator
 * of itself would first wait for what it awaits: here that is aborted.
 */
export function stoppable<T>(
  signal: AbortSignal | undefined,
  run: (stop: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const stop = new AbortController();
  const generator = guarded(signal, stop, run);
  const end = generator.return.bind(generator);
  return Object.assign(generator, { return: () => (stop.abort(RETURNED), end()) });
}

async function* guarded<T>(
  signal: AbortSignal | undefined,
  stop: AbortController,
  run: (stop: AbortSignal) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const unchain = chained(signal, stop);
  try {
    stop.signal.throwIfAborted();
    yield* run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    if (stop.signal.reason !== RETURNED) throw stop.signal.reason;
  } finally {
    unchain();
  }
}
