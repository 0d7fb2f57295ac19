/** The events of a table as they happen: server-sent events over fetch, which continue after lost connections. */

import { EventSourceParserStream, type EventSourceMessage } from "eventsource-parser/stream";

import { type Fetch, PASSING, type Patience, pauseBefore, retryAfter, whileAway } from "./retrying.js";
import type { components } from "./schema.js";
import { chained, sleep } from "./stopping.js";

type Schemas = components["schemas"];

/** The data of an event in the schema, plus the event's name. */
type Named<Name extends string, Data> = { event: Name } & Data;

/**
 * A move was made. `turn` is the seat to move now. `move` is its text, such as `12-7>mexican`, `draw` or `call 2`.
 * `tile` and `train` are present if a tile was laid. Drawn tiles are hidden.
 */
export type Moved = Named<"move", Schemas["MoveEvent"]>;

export type RoundEnded = Named<"round", Schemas["RoundEndedEvent"]>;

export type RoundDealt = Named<"round", Schemas["RoundDealtEvent"]>;

/** A player sat down, left, or came back. */
export type SeatChanged = Named<"seat", Schemas["SeatEvent"]>;

/** The match started or ended, or the table changed. `changed` are the names of the changed fields. */
export type TableChanged = Named<"table", Schemas["TableEvent"]>;

/** A quarter of the turn of `seat` is left, in turns of at least a minute. It has no version. */
export type Warned = Named<"warn", Schemas["WarnEvent"]>;

/** Earlier events are no longer available. Get the position; the events after `version` follow. */
export interface Missed {
  event: "missed";
  version: number;
}

export type TableEvent = Moved | RoundEnded | RoundDealt | SeatChanged | TableChanged | Warned | Missed;

/** The state of a table where the caller sits, after a change. `id` is opaque: `since: id` continues after it. */
export type MyTableChanged = Named<"table", Schemas["MyTableEvent"]> & { id: string };

export interface Stream {
  /** The URL of the events. */
  url: string;
  headers: () => Record<string, string>;
  fetch: Fetch;
  patience: Patience;
  signal: AbortSignal;
}

/** The state of a stream across its connections. */
interface Place<Event> {
  /** The id of the last event, after which the next connection continues. `undefined`: call `look` first. */
  id: string | undefined;
  /** Gets the current version, and returns an event if earlier events are lost. */
  look?: (patience: Patience) => Promise<Event | undefined>;
  /** Returns the event if it is new; `undefined` for repeated events and unknown kinds. */
  take: (said: EventSourceMessage) => Event | typeof OVER | typeof AGAIN | undefined;
}

const OVER = Symbol("over");
const AGAIN = Symbol("again");
const FINAL = new Set<unknown>(["finished", "cancelled", "hidden"]);
/** Stands for a 204: the table is over, and there are no events after the requested version. */
const NOTHING_MORE = { id: undefined, event: "end", data: '{"reason": "finished"}' };
const KNOWN = new Set(["move", "round", "seat", "table", "warn", "end"]);
/** Milliseconds without a byte after which a connection counts as lost. The server sends something every 15 s. */
const SILENCE = 45_000;

/**
 * The events of one table, until the table is over. Throws the server's error as a `Response`, and an error of fetch if
 * the patience is used up.
 */
export function followed(
  stream: Stream,
  present: (patience: Patience) => Promise<number>,
  since?: number,
): AsyncGenerator<TableEvent, void, void> {
  let version = since;
  let hasBegun = since !== undefined;
  return streamed<TableEvent>(stream, {
    get id() {
      return version === undefined ? undefined : String(version);
    },
    async look(patience) {
      const now = (version = await present(patience));
      const isGap = hasBegun;
      hasBegun = true;
      return isGap ? { event: "missed", version: now } : undefined;
    },
    take(said) {
      const told = dataOf(said);
      if (said.event === "end") {
        if (told.reason === "too_old") version = undefined;
        return FINAL.has(told.reason) ? OVER : AGAIN;
      }
      if (said.event === "warn") return { event: "warn", ...told };
      if (!(told.version > version!)) return undefined;
      version = told.version as number;
      return KNOWN.has(said.event ?? "") ? ({ event: said.event, ...told } as TableEvent) : undefined;
    },
  });
}

/** The events of all the caller's tables, without end. If the token is revoked, the next connection is refused. */
export function followedMine(stream: Stream, since = ""): AsyncGenerator<MyTableChanged, void, void> {
  const place: Place<MyTableChanged> = {
    id: since,
    take(said) {
      const told = dataOf(said);
      if (said.event === "end") return AGAIN;
      place.id = said.id || place.id;
      return said.event === "table" && told.table ? { event: "table", id: place.id!, ...told } : undefined;
    },
  };
  return streamed(stream, place);
}

/** Returns the data of an event. Events of an unknown kind may have any data. */
function dataOf({ event, data }: EventSourceMessage): any {
  if (!data) return {};
  try {
    const told: unknown = JSON.parse(data);
    if (typeof told === "object" && told !== null && !Array.isArray(told)) return told;
  } catch (error) {
    if (KNOWN.has(event ?? "")) throw error;
  }
  if (KNOWN.has(event ?? "")) throw new SyntaxError("The data of an event is not an object");
  return {};
}

/** Yields the events of a stream over as many connections as necessary. */
async function* streamed<Event>(stream: Stream, place: Place<Event>): AsyncGenerator<Event, void, void> {
  let patience = stream.patience;
  let base = 1000;
  let failures = 0;
  let failingSince = 0;
  const onOpen = () => ((failures = 0), (patience = whileAway(stream.patience)));
  const onRetry = (told: number) => (base = told);
  const onId = (id: string) => (place.look ? undefined : (place.id = id));
  for (;;) {
    if (place.look && place.id === undefined) {
      const missed = await place.look(patience);
      if (missed) yield missed;
      patience = whileAway(stream.patience);
    }
    let pause = base * (1 - Math.random() / 2);
    try {
      for await (const said of connected(stream, place.id!, { onOpen, onRetry, onId })) {
        stream.signal.throwIfAborted();
        const taken = place.take(said);
        if (taken === OVER) return;
        if (taken === AGAIN) break;
        if (taken !== undefined) yield taken as Event;
      }
    } catch (lost) {
      if (stream.signal.aborted || lost instanceof SyntaxError || (lost instanceof Response && !PASSING.has(lost.status))) {
        throw lost;
      }
      if (failures++ === 0) failingSince = performance.now();
      const asked = lost instanceof Response ? retryAfter(lost) : 0;
      pause = Math.max(asked, pause, pauseBefore(failures + 1, patience));
      if (performance.now() + pause - failingSince >= patience.total) throw lost;
    }
    await sleep(pause, stream.signal);
  }
}

interface Heard {
  onOpen: () => void;
  onRetry: (milliseconds: number) => void;
  onId: (id: string) => void;
}

/** Yields the messages of one connection. If the answer is not a stream, throws it. */
async function* connected(
  stream: Stream,
  id: string,
  { onOpen, onRetry, onId }: Heard,
): AsyncGenerator<EventSourceMessage, void, void> {
  const lost = new AbortController();
  const unchain = chained(stream.signal, lost);
  let timer = setTimeout(() => lost.abort(new Error("The server does not answer")), stream.patience.timeout);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => lost.abort(new Error("The server has fallen silent")), SILENCE);
  };
  const headers = { Accept: "text/event-stream", "Last-Event-ID": id, ...stream.headers() };
  try {
    const response = await stream.fetch(new Request(stream.url, { headers, signal: lost.signal, cache: "no-store" }));
    heard();
    if (response.status === 204) {
      yield NOTHING_MORE;
      return;
    }
    if (!response.ok || !response.body) throw new Response(await response.text(), response); // read before the abort
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new Error("The answer is not a stream");
    onOpen();
    const reader = response.body
      .pipeThrough(new TransformStream({ transform: (bytes, out) => (heard(), out.enqueue(bytes)) }))
      .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(firstId(onId))
      .pipeThrough(new EventSourceParserStream({ onRetry }))
      .getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    clearTimeout(timer);
    unchain();
    lost.abort();
  }
}

/** Reports an `id` without an event before the first event. The parser reports only the ids of events. */
function firstId(onId: (id: string) => void): TransformStream<string, string> {
  let rest: string | undefined = "";
  return new TransformStream({
    transform(text, out) {
      out.enqueue(text);
      const blocks: string[] = rest === undefined ? [] : (rest + text).split(/\r\n\r\n|\n\n|\r\r/);
      if (rest !== undefined) rest = blocks.pop();
      for (const block of blocks) {
        if (/^data/m.test(block)) return void (rest = undefined);
        const id = /^id: ?(.*)$/m.exec(block)?.[1];
        if (id) onId(id);
      }
    },
  });
}
