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

export interface Stream {
  /** The address of the table's events. */
  url: string;
  headers: () => Record<string, string>;
  fetch: Fetch;
  patience: Patience;
  signal: AbortSignal;
  /** The version of the position now. */
  present: (patience: Patience) => Promise<number>;
}

const FINAL = new Set<unknown>(["finished", "cancelled", "hidden"]);
/** What a 204 says: the table is over, and nothing happened after the version asked for. */
const NOTHING_MORE = { id: undefined, event: "end", data: '{"reason": "finished"}' };
const KNOWN = new Set(["move", "round", "seat", "table"]);
/** Milliseconds without a byte after which a connection is taken for lost: the server says something every 15 s. */
const SILENCE = 45_000;

/** Ends with the table. Throws a refusal as a `Response`, and whatever fetch throws once patience is over. */
export async function* followed(stream: Stream, since?: number): AsyncGenerator<TableEvent, void, void> {
  let version = since;
  let hasBegun = since !== undefined;
  let patience = stream.patience;
  let base = 1000;
  let failures = 0;
  let failingSince = 0;
  const onOpen = () => ((failures = 0), (patience = whileAway(stream.patience)));
  const onRetry = (told: number) => (base = told);
  for (;;) {
    if (version === undefined) {
      version = await stream.present(patience);
      if (hasBegun) yield { event: "missed", version };
      hasBegun = true;
      patience = whileAway(stream.patience);
    }
    let pause = base * (1 - Math.random() / 2);
    try {
      for await (const said of connected(stream, version, { onOpen, onRetry })) {
        stream.signal.throwIfAborted();
        const told = said.data ? JSON.parse(said.data) : {};
        if (said.event === "end" && FINAL.has(told.reason)) return;
        if (said.event === "end") {
          if (told.reason === "too_old") version = undefined;
          break;
        }
        if (said.event === "warn") yield { event: "warn", ...told };
        if (!(told.version > version)) continue;
        version = told.version as number;
        if (KNOWN.has(said.event ?? "")) yield { event: said.event, ...told };
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

/** The messages of one connection. Throws what was answered instead of a stream. */
async function* connected(
  stream: Stream,
  version: number,
  { onOpen, onRetry }: { onOpen: () => void; onRetry: (milliseconds: number) => void },
): AsyncGenerator<EventSourceMessage, void, void> {
  const lost = new AbortController();
  const unchain = chained(stream.signal, lost);
  let timer = setTimeout(() => lost.abort(new Error("The server does not answer")), stream.patience.timeout);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => lost.abort(new Error("The server has fallen silent")), SILENCE);
  };
  const headers = { Accept: "text/event-stream", "Last-Event-ID": String(version), ...stream.headers() };
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
      .pipeThrough(new EventSourceParserStream({ onRetry }))
      .getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    clearTimeout(timer);
    unchain();
    lost.abort();
  }
}
