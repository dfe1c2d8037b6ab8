import type { Incoming } from "@asset-register/events";
import type { ReaderLivenessEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_liveness_pb";
import type { ReaderChangeEventSchema } from "@asset-register/proto/assetregister/events/v1/reader_pb";
import { decodeInstant } from "@asset-register/rpc";

/** When a reader was heard. */
export type Heard = { workspaceId: string; id: string; at: Date };

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
}: Incoming<typeof ReaderLivenessEventSchema>): Heard[] {
  const at = decodeInstant(message?.lastSeenAt);
  return at ? [{ workspaceId, id, at }] : [];
}
