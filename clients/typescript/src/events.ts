/** What happens at a table, as it happens: server-sent events over fetch, across lost connections. */

import { EventSourceParserStream, type EventSourceMessage } from "eventsource-parser/stream";

import { type Fetch, PASSING, type Patience, pauseBefore, retryAfter, whileAway } from "./retrying.js";
import type { components } from "./schema.js";
import { chained, sleep } from "./stopping.js";

type Schemas = components["schemas"];

/** The data of an event of the schema, and the name it comes with. */
type Named<Name extends string, Data> = { event: Name } & Data;

/**
 * A move was made; `turn` is the seat to move now. `move` is its text, such as `12-7>mexican`, `draw` or `call 2`;
 * `tile` and `train` are those of a tile that was laid. What is drawn is hidden.
 */
export type Moved = Named<"move", Schemas["MoveEvent"]>;

export type RoundEnded = Named<"round", Schemas["RoundEndedEvent"]>;

export type RoundDealt = Named<"round", Schemas["RoundDealtEvent"]>;

/** Somebody sat down, left, or came back. */
export type SeatChanged = Named<"seat", Schemas["SeatEvent"]>;

/** The table started, ended, or changed otherwise: `changed` are the names of its fields that did. */
export type TableChanged = Named<"table", Schemas["TableEvent"]>;

/** A quarter of a turn of a minute or more is left, and `seat` is to move. It belongs to no version. */
export type Warned = Named<"warn", Schemas["WarnEvent"]>;

/** What happened before cannot be told any more: look at the position; everything after `version` follows. */
export interface Missed {
  event: "missed";
  version: number;
}

export type TableEvent = Moved | RoundEnded | RoundDealt | SeatChanged | TableChanged | Warned | Missed;

/** A table where the caller sits has changed, and this is how it is now. `id` is opaque: `since: id` goes on after it. */
export type MyTableChanged = Named<"table", Schemas["MyTableEvent"]> & { id: string };

export interface Stream {
  /** The address of the events. */
  url: string;
  headers: () => Record<string, string>;
  fetch: Fetch;
  patience: Patience;
  signal: AbortSignal;
}

/** Where a stream is across its connections. */
interface Place<Event> {
  /** The id of the last event: the next connection goes on after it. `undefined`: look at the present first. */
  id: string | undefined;
  /** Looks at the present, and answers an event if something before it is lost. */
  look?: (patience: Patience) => Promise<Event | undefined>;
  /** The event that is new, if this is one. */
  take: (said: EventSourceMessage) => Event | typeof OVER | typeof AGAIN | undefined;
}

const OVER = Symbol("over");
const AGAIN = Symbol("again");
const FINAL = new Set<unknown>(["finished", "cancelled", "hidden"]);
/** What a 204 means: the table is over, and nothing happened after the version asked for. */
const NOTHING_MORE = { id: undefined, event: "end", data: '{"reason": "finished"}' };
const KNOWN = new Set(["move", "round", "seat", "table", "warn", "end"]);
/** Milliseconds without a byte after which a connection counts as lost: the server sends something every 15 s. */
const SILENCE = 45_000;

/** The events of one table; ends with it. Throws a refusal as a `Response`, and what fetch throws once patience is over. */
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

/** The events of all the caller's tables, for good: a revoked token is refused at the next connection. */
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

/** What is sent with an event. Events of a kind that is not known here may come with anything. */
function dataOf({ event, data }: EventSourceMessage): any {
  if (!data) return {};
  try {
    const told: unknown = JSON.parse(data);
    if (typeof told === "object" && told !== null && !Array.isArray(told)) return told;
  } catch (error) {
    if (KNOWN.has(event ?? "")) throw error;
  }
  if (KNOWN.has(event ?? "")) throw new SyntaxError("The data of an event is no object");
  return {};
}

/** The events of one connection after the other. */
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

/** The messages of one connection. Throws what was answered instead of a stream. */
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
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new Error("This is no stream");
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

/** Notes an `id` that comes before the first event and without one: the parser tells only those of events. */
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
