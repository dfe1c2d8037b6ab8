/** Days for which the rows of a collection are kept, and what removes them. */
export type Kept = { days: number; by: string };

/** A row whose number does not grow with time: it is removed or rewritten at once. */
const AT_ONCE = 0;

/**
 * What code removes, by service and collection. An expiry of a fixed time is read from the index of the collection.
 * Everything else stays.
 */
const removed: Record<string, Kept> = {
  outbox: { days: AT_ONCE, by: "the relay, when it is sent" },
  record_counts: { days: AT_ONCE, by: "never: 64 rows for a list of a workspace" },
  idempotency_secrets: { days: AT_ONCE, by: "never: one row" },
  outbox_tombstones: { days: 30, by: "the relay" },
  "tagging-ingest.reader_events_{day}": { days: 90, by: "drop of the day" },
  "tagging-ingest.sightings_{day}": { days: 90, by: "drop of the day" },
  "tagging-ingest.presences": { days: 90, by: "expiry after the last read" },
  "tagging-ingest.sighting_sequences": { days: 90, by: "expiry after the last sighting" },
  "tagging-ingest.reader_hours": { days: 90, by: "expiry" },
  "notification.feed_entries": { days: 31, by: "a sweep" },
  "register.import_rows": { days: 30, by: "expiry" },
  "register.label_rows": { days: 1, by: "expiry" },
  "identity.sessions": { days: 90, by: "expiry" },
  "identity.refresh_tokens": { days: 90, by: "expiry" },
  "identity.sign_in_limits": { days: AT_ONCE, by: "expiry" },
};

export const keptByCode = (service: string, collection: string): Kept | undefined =>
  removed[`${service}.${collection}`] ?? removed[collection];

/**
 * Days for which a topic keeps its records. Of a compacted topic, all but the newest record of a key are kept for the
 * least lag of compaction.
 */
export function keptByTopic(topic: {
  cleanup: "compact" | "delete";
  retentionMs?: number;
  minCompactionLagMs?: number;
}): Kept {
  const days = (topic.retentionMs ?? topic.minCompactionLagMs ?? 0) / 86_400_000;
  return { days, by: topic.cleanup === "compact" ? "compaction" : "retention" };
}
