import type {
  ReaderEvent,
  ReaderEventSchema,
} from "@asset-register/proto/assetregister/events/v1/reader_event_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { AcceptedEvent } from "./domain/accepted-event.ts";
import type { ReaderInstant } from "./domain/timestamp.ts";

/** An accepted event as it travels to the worker. */
export function readerEventMessage(event: AcceptedEvent): MessageInitShape<typeof ReaderEventSchema> {
  const { antenna, rssi } = event;
  return {
    id: event.id,
    workspaceId: event.workspaceId,
    readerId: event.readerId,
    epc: event.epc,
    ts: toTimestamp(event.ts),
    receivedAt: toTimestamp({ ms: event.receivedAt, nanos: 0 }),
    count: event.count,
    ...(antenna === undefined ? {} : { antenna }),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

/** The event that a message carries; undefined when it lacks what every event has. */
export function acceptedEvent(message: ReaderEvent): AcceptedEvent | undefined {
  const { id, workspaceId, readerId, epc, ts, receivedAt, antenna, rssi, count } = message;
  if (id === "" || workspaceId === "" || epc === "" || ts === undefined || receivedAt === undefined) {
    return undefined;
  }
  return {
    ...{ id, workspaceId, readerId, epc },
    ts: fromTimestamp(ts),
    receivedAt: fromTimestamp(receivedAt).ms,
    count: Math.max(1, count),
    ...(antenna === undefined ? {} : { antenna }),
    ...(rssi === undefined ? {} : { rssi }),
  };
}

function toTimestamp({ ms, nanos }: ReaderInstant): Timestamp {
  const seconds = Math.floor(ms / 1000);
  return create(TimestampSchema, {
    seconds: BigInt(seconds),
    nanos: (ms - seconds * 1000) * 1_000_000 + nanos,
  });
}

function fromTimestamp({ seconds, nanos }: Timestamp): ReaderInstant {
  const millis = Math.floor(nanos / 1_000_000);
  return { ms: Number(seconds) * 1000 + millis, nanos: nanos - millis * 1_000_000 };
}
