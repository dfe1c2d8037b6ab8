import { type Subscription, subscribe } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { workspaceProjection } from "@asset-register/service";
import type { Context } from "./context.ts";
import { decodeReaderEvent } from "./decode/reader-event.ts";
import type { AcceptedEvent } from "./domain/ingest/accepted-event.ts";
import { applyWorkspaces } from "./operations/readers/apply-workspaces.ts";
import type { DueReads } from "./operations/reads/due-reads.ts";
import { applyAssets } from "./operations/tags/apply-assets.ts";
import { assetProjection } from "./store/tags/assets.ts";

/** The topics that are projected. */
export function projections(context: Context): Subscription[] {
  return [
    workspaceProjection.subscription((states) => applyWorkspaces(context, states)),
    assetProjection.subscription((states) => applyAssets(context, states)),
  ];
}

/**
 * The reads of tags. Each record has many events, so a batch has few records.
 *
 * No event counts as received after its record was appended. So an API process whose clock is ahead neither ends the
 * reorder window of other reads nor has reads of the future.
 */
export function readerEvents({ take, own }: Pick<DueReads, "take" | "own">): Subscription {
  return subscribe(topics.readerEvent, {
    maxBatch: 100,
    assigned: own,
    async handle(records, { signal }) {
      const byPartition = new Map<number, AcceptedEvent[]>();
      for (const { partition, message, time } of records) {
        const events = byPartition.get(partition) ?? [];
        byPartition.set(partition, events);
        const appendedAt = time.getTime();
        for (const event of message?.events ?? []) events.push(decodeReaderEvent(event, appendedAt));
      }
      await take(byPartition, signal);
    },
  });
}
