import { type Incoming, type Subscription, subscribe } from "@asset-register/events";
import { Plan, WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { topics } from "@asset-register/proto/topics";
import type { Context } from "./context.ts";
import { decodeReaderEvent } from "./decode/reader-event.ts";
import type { AcceptedEvent } from "./domain/accepted-event.ts";
import { applyWorkspaces } from "./operations/readers/apply-workspaces.ts";
import type { DueReads } from "./operations/reads/due-reads.ts";
import { applyAssets } from "./operations/tags/apply-assets.ts";
import type { AssetState } from "./store/assets.ts";
import type { WorkspaceState } from "./store/workspaces.ts";

/** The topics that are projected. */
export function projections(context: Context): Subscription[] {
  return [
    subscribe(topics.workspace, {
      handle: (events) => applyWorkspaces(context, events.map(decodeWorkspace)),
    }),
    subscribe(topics.asset, { handle: (events) => applyAssets(context, events.map(decodeAsset)) }),
  ];
}

/** A tombstone disables the workspace too. */
function decodeWorkspace(event: Incoming<typeof topics.workspace.schema>): WorkspaceState {
  const { subject, epoch, sequence, message } = event;
  const disabled = message === undefined || message.state?.status === WorkspaceStatus.DISABLED;
  const enterprise = message?.state?.plan === Plan.ENTERPRISE;
  return { workspaceId: subject, epoch, sequence, disabled, enterprise };
}

/** A projection takes the state, not the change: compaction keeps only the newest change. */
function decodeAsset(event: Incoming<typeof topics.asset.schema>): AssetState {
  const { workspaceId, subject, epoch, sequence, message } = event;
  const { deletedAt, disposed } = message?.state ?? {};
  const gone = message === undefined || deletedAt !== undefined || disposed !== undefined;
  return { workspaceId, id: subject, epoch, sequence, gone };
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
      for (const [partition, events] of byPartition) await take(partition, events, signal);
    },
  });
}
