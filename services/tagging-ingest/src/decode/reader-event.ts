import { PoisonError } from "@asset-register/events";
import type { ReaderEvent } from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { AcceptedEvent } from "../domain/ingest/accepted-event.ts";
import type { ReaderInstant } from "../domain/ingest/timestamp.ts";

/**
 * An accepted event, as the worker gets it. This is the hot path: it runs for each event, so it has no zod.
 * @throws PoisonError when a field is missing that each event has
 */
export function decodeReaderEvent(message: ReaderEvent, appendedAt: number): AcceptedEvent {
  const { id, workspaceId, readerId, epc, ts, receivedAt, effectiveAt, antenna, rssi, count } = message;
  if (id === "" || workspaceId === "" || epc === "" || ts === undefined || receivedAt === undefined) {
    throw new PoisonError("an event without id, workspace, code or time");
  }
  return {
    id,
    workspaceId,
    readerId,
    epc,
    ts: decodeReaderInstant(ts),
    receivedAt: Math.min(decodeReaderInstant(receivedAt).ms, appendedAt),
    at: effectiveAt && Math.min(decodeReaderInstant(effectiveAt).ms, appendedAt),
    count: Math.max(1, count),
    antenna,
    rssi,
  };
}

function decodeReaderInstant({ seconds, nanos }: Timestamp): ReaderInstant {
  const millis = Math.floor(nanos / 1_000_000);
  return { ms: Number(seconds) * 1000 + millis, nanos: nanos - millis * 1_000_000 };
}
