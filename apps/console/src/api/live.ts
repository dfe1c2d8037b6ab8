import type { EventType } from "@asset-register/proto/event-types";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { authorisedFetch } from "./authorised-fetch.ts";
import { cache, invalidate } from "./client.ts";
import { ApiError } from "./problem.ts";

type Group = EventType extends `${infer G}.${string}` ? G : never;

/** The paths whose answers an event changes, by the group of its type. A new group does not compile without them. */
const touched: Record<Group, readonly string[]> = {
  alert: ["/alerts", "/home"],
  asset: ["/assets", "/movements", "/reports", "/home", "/locations"],
  checkout: ["/checkouts", "/assets", "/home"],
  contract: ["/contracts", "/home"],
  depreciation_run: ["/depreciation", "/assets"],
  reader: ["/readers", "/home"],
  stocktake: ["/stocktake", "/home"],
  tag: ["/tags", "/assets"],
  work_order: ["/work-orders", "/maintenance", "/home"],
};

const GATHER_MS = 1_000;
const RETRY_MS = 2_000;
/** One tab of a browser holds the stream, since HTTP/1.1 has six connections; it informs the others. */
const LOCK = "asset-register.stream";
const CHANNEL = "asset-register.feed";

/** The paths whose answers an event of this type changes. A newer server may send types that this page does not know. */
export const pathsTouchedBy = (type: string): readonly string[] =>
  touched[type.split(".", 1)[0] as Group] ?? [];

/** Follows the feed of the workspace until `signal` aborts, and marks what the entries touch as stale. */
export function followFeed(signal: AbortSignal): void {
  const channel = new BroadcastChannel(CHANNEL);
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touch = (paths: readonly string[]): void => {
    for (const path of paths) waiting.add(path);
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      invalidate(...waiting);
      waiting.clear();
    }, GATHER_MS);
  };
  channel.onmessage = ({ data }: MessageEvent<string[]>) => touch(data);
  signal.addEventListener("abort", () => channel.close());
  const onEntry = (type: string): void => {
    const paths = pathsTouchedBy(type);
    touch(paths);
    channel.postMessage(paths);
  };
  void navigator.locks.request(LOCK, { signal }, () => stream(signal, onEntry)).catch(() => undefined);
}

async function stream(signal: AbortSignal, onEntry: (type: string) => void): Promise<void> {
  let cursor = "latest";
  while (!signal.aborted) {
    try {
      const response = await open(cursor, signal);
      const events = response.body
        ?.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
        .pipeThrough(new EventSourceParserStream());
      for await (const { id, event } of (events ?? []) as unknown as AsyncIterable<{
        id?: string;
        event?: string;
      }>) {
        if (id !== undefined) cursor = id;
        if (event !== undefined) onEntry(event);
      }
    } catch (error) {
      // Too far behind: everything visible is read again, and the stream starts at the end.
      if (error instanceof ApiError && error.status === 410) {
        cursor = "latest";
        void cache.invalidateQueries();
      }
    }
    // Also after an end that is no error: something between may close each stream at once.
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function open(cursor: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = cursor === "latest" ? {} : { "last-event-id": cursor };
  return authorisedFetch(new Request("/asset_manager_api/events/stream?after=latest", { headers, signal }));
}
