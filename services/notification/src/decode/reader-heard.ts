import type { Incoming } from "@asset-register/events";
import type {
  ReaderLivenessEvent,
  ReaderLivenessEventSchema,
} from "@asset-register/proto/assetregister/events/v1/reader_liveness_pb";
import type { ReaderChangeEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_pb";
import {
  ReaderHealthReason,
  ReaderHealthState,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { decodeInstant, enumNames } from "@asset-register/rpc";
import type { ReaderHealth } from "../domain/alerts/watched-reader.ts";

/** When a reader was heard. `health`: only of its liveness, judged for the last time. */
export type Heard = {
  workspaceId: string;
  id: string;
  at: Date;
  health?: (ReaderHealth & { sequence: number }) | undefined;
};

const stateNames = enumNames(ReaderHealthState);
const reasonNames = enumNames(ReaderHealthReason);

/** A state carries when the reader was heard before it was published. */
export function decodeReaderHeard({
  message,
  workspaceId,
  subject: id,
}: Incoming<typeof ReaderChangeEventSchema>): Heard[] {
  const at = decodeInstant(message?.state?.lastSeenAt);
  return at ? [{ workspaceId, id, at }] : [];
}

export function decodeLiveness({
  message,
  workspaceId,
  subject: id,
  sequence,
}: Incoming<typeof ReaderLivenessEventSchema>): Heard[] {
  const at = decodeInstant(message?.lastSeenAt);
  if (at === undefined) return [];
  const health = decodeHealth(message?.health);
  return [{ workspaceId, id, at, health: health && { ...health, sequence } }];
}

/** Reasons that only a newer release knows are left out. A state that it knows is none here. */
function decodeHealth(health: ReaderLivenessEvent["health"]): ReaderHealth | undefined {
  const state = stateNames.decode(health?.state);
  const since = decodeInstant(health?.since);
  const changedAt = decodeInstant(health?.changedAt) ?? since;
  if (health === undefined || state === undefined || !since || !changedAt) return undefined;
  const reasons = health.reasons.flatMap((reason) => reasonNames.decode(reason) ?? []);
  return { state, reasons, since, changedAt };
}
