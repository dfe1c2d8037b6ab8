import { PoisonError, type Subscription, subscribe } from "@asset-register/events";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import type { AcceptedEvent } from "./domain/accepted-event.ts";
import type { ApplyAssets } from "./operations/apply-assets.ts";
import type { ApplyWorkspaces } from "./operations/apply-workspaces.ts";
import type { DueReads } from "./operations/due-reads.ts";
import { acceptedEvent } from "./reader-event-message.ts";

type Deps = { applyWorkspaces: ApplyWorkspaces; applyAssets: ApplyAssets };

/** What every process of this service projects. */
export function projections({ applyWorkspaces, applyAssets }: Deps): Subscription[] {
  return [
    subscribe(topics.workspace, {
      handle: (events) =>
        applyWorkspaces(
          events.map(({ subject, epoch, sequence, message }) => ({
            workspaceId: subject,
            epoch,
            sequence,
            // A workspace that is forgotten altogether is stopped too.
            disabled: message === undefined || message.state?.status === WorkspaceStatus.DISABLED,
          })),
        ),
    }),
    subscribe(topics.asset, {
      handle: (events) =>
        applyAssets(
          events.map(({ workspaceId, subject, epoch, sequence, message }) => ({
            workspaceId,
            id: subject,
            epoch,
            sequence,
            // By the state, whatever changed last: compaction keeps the newest change only.
            gone:
              message === undefined ||
              message.state?.deletedAt !== undefined ||
              message.state?.disposedAt !== undefined,
            archived: message?.statusClass === StatusClass.ARCHIVED,
          })),
        ),
    }),
  ];
}

/** Reads of tags. A record holds many, so that few records are a batch. */
export function readerEvents({ take }: Pick<DueReads, "take">): Subscription {
  return subscribe(topics.readerEvent, {
    maxBatch: 20,
    async handle(batches) {
      const byPartition = new Map<number, AcceptedEvent[]>();
      for (const { partition, message } of batches) {
        const events = byPartition.get(partition) ?? [];
        byPartition.set(partition, events);
        for (const one of message?.events ?? []) {
          const event = acceptedEvent(one);
          if (event === undefined) throw new PoisonError("an event without id, workspace, code or time");
          events.push(event);
        }
      }
      for (const [partition, events] of byPartition) await take(partition, events);
    },
  });
}
