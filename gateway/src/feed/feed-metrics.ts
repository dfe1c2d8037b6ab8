import type { Metrics } from "@asset-register/runtime";

/** Why a stream has ended: the reasons of `event: end`, and those without one. */
export type EndReason = "credential" | "age" | "drain" | "client" | "slow" | "feed";

export type FeedMetrics = {
  opened(kind: "stream" | "wait"): void;
  closed(kind: "stream" | "wait"): void;
  sent(entries: number): void;
  ended(reason: EndReason): void;
};

export function createFeedMetrics(metrics: Metrics): FeedMetrics {
  const open = metrics.gauge({
    name: "event_streams_open",
    help: "Streams of events, and requests that wait for one",
    labelNames: ["kind"],
  });
  for (const kind of ["stream", "wait"]) open.set({ kind }, 0);
  const sent = metrics.counter({ name: "event_stream_entries_total", help: "Events sent in streams" });
  const ended = metrics.counter({
    name: "event_streams_ended_total",
    help: "Streams that have ended, by reason: credential, age and drain as clients see them; client, slow and feed without a word",
    labelNames: ["reason"],
  });
  return {
    opened: (kind) => open.inc({ kind }),
    closed: (kind) => open.dec({ kind }),
    sent: (entries) => sent.inc(entries),
    ended: (reason) => ended.inc({ reason }),
  };
}
