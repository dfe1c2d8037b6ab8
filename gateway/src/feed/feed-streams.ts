import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedFollower, FeedPage, FeedSink } from "./feed-follower.ts";
import type { EndReason, FeedMetrics } from "./feed-metrics.ts";
import type { Holder } from "./held-credentials.ts";

/** The streams of a process. One timer serves all: a timer or closure more for each would cost memory and CPU time. */
export type FeedStreams = {
  open(stream: NewStream): void;
  /** Sends heartbeats, and ends old streams and those whose client does not read. Call it once a second. */
  tick(): void;
  /** Ends all streams. */
  drain(): Promise<void>;
};

type NewStream = {
  raw: ServerResponse;
  headers: Record<string, string | number | string[] | undefined>;
  /** The first bytes to the client. */
  page: FeedPage;
  follow(sink: FeedSink): FeedFollower;
  address: string;
  /** The stream holds its credential from now on. Returns the function that frees it. */
  hold(holder: Holder): () => void;
};

type Stream = {
  raw: ServerResponse;
  follower: FeedFollower;
  openedAt: number;
  /** Since when so much waits for the client that it gets no more. */
  fullSince: number | undefined;
  end(reason: EndReason): void;
};

/** http.md and feed.md. */
const BEAT_EVERY_S = 15;
const MAX_AGE_MS = 30 * 60_000;
const MAX_WAITING_BYTES = 256 * 1024;
/** A client that takes nothing for this long does not read. */
const MAX_FULL_MS = 10_000;
const RETRY = "retry: 2000\n\n";
/** For the last words to clients that read. */
const DRAIN_MS = 2_000;

/** The reasons that clients get. */
const TOLD: readonly EndReason[] = ["credential", "age", "drain"];

/** `now` reads a monotonic clock, in ms. */
export function createFeedStreams(metrics: FeedMetrics, now = () => performance.now()): FeedStreams {
  /** Streams by the second in which they get their heartbeat. */
  const slots = Array.from({ length: BEAT_EVERY_S }, () => new Set<Stream>());
  const full = new Set<Stream>();
  let second = 0;

  function open({ raw, headers, page, follow, address, hold }: NewStream): void {
    const slot = slots[second] ?? new Set();
    const follower = follow({
      take(item) {
        // Node sends what is written in one turn of the event loop together.
        raw.write(item.frame);
        metrics.sent(1);
        if (raw.writableLength < MAX_WAITING_BYTES) return true;
        stream.fullSince = now();
        full.add(stream);
        return false;
      },
      flush: () => undefined,
      // The client learns the reason when it comes back with its cursor: 410, or 403.
      failed: () => stream.end("feed"),
    });
    const stream: Stream = {
      ...{ raw, follower, openedAt: now(), fullSince: undefined },
      end(reason) {
        if (!slot.delete(stream)) return;
        full.delete(stream);
        follower.stop();
        free();
        metrics.closed("stream");
        metrics.ended(reason);
        if (TOLD.includes(reason)) raw.end(`event: end\ndata: ${JSON.stringify({ reason })}\n\n`);
        else raw.destroy();
      },
    };
    const free = hold({ address, credentialEnded: () => stream.end("credential") });
    slot.add(stream);
    metrics.opened("stream");
    raw.once("close", () => stream.end("client"));
    raw.on("drain", () => {
      if (!full.delete(stream)) return;
      stream.fullSince = undefined;
      follower.resume();
    });
    // It may have left while its credential was verified: then nothing else would end the stream.
    if (raw.closed) {
      stream.end("client");
      return;
    }
    raw.writeHead(200, headers);
    raw.write(RETRY);
    follower.start(page);
  }

  const beat = ({ raw, follower }: Stream): void => {
    // Not the place of a client that is behind: it has got that with its last entry.
    raw.write(follower.isUpToDate() ? `:\nid: ${follower.place().cursor}\n\n` : ":\n\n");
  };

  return {
    open,
    tick() {
      second = (second + 1) % BEAT_EVERY_S;
      const at = now();
      for (const stream of full) if (at - (stream.fullSince ?? at) > MAX_FULL_MS) stream.end("slow");
      for (const stream of slots[second] ?? []) {
        if (at - stream.openedAt > MAX_AGE_MS) stream.end("age");
        else if (!full.has(stream)) beat(stream);
      }
    },
    async drain() {
      const streams = slots.flatMap((slot) => [...slot]);
      for (const stream of streams) stream.end("drain");
      const until = now() + DRAIN_MS;
      while (streams.some(({ raw }) => !raw.writableFinished && !raw.destroyed) && now() < until)
        await sleep(20);
      for (const { raw } of streams) raw.destroy();
    },
  };
}
