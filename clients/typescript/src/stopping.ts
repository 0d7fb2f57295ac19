/** Stops waiting generators at once: with the caller's signal, or with the generator's `return`. */

/** Aborts `controller` if `signal` is aborted, until you call the result. `AbortSignal.any` is too new to be used. */
export function chained(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

/** Waits. Throws the signal's reason if it is aborted meanwhile. */
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
 * Returns a generator that throws the signal's reason if `signal` is aborted, and whose `return` ends it at once. A
 * plain async generator would first wait for the promise that it awaits; here that is aborted.
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
