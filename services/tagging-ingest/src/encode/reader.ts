import {
  ActivityStep,
  ReaderHealthReason,
  type ReaderHealthSchema,
  ReaderHealthState,
  ReaderKind,
  type ReaderSchema,
  ReaderStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { JudgedHealth } from "../domain/readers/judged-health.ts";
import type { Reader } from "../domain/readers/reader.ts";
import { encodeReadFilter } from "./read-filter.ts";

export const readerKindNames = enumNames(ReaderKind);
export const readerStatusNames = enumNames(ReaderStatus);
export const activityStepNames = enumNames(ActivityStep);
const healthStateNames = enumNames(ReaderHealthState);
const healthReasonNames = enumNames(ReaderHealthReason);

export const encodeHealth = (
  health: JudgedHealth | undefined,
): MessageInitShape<typeof ReaderHealthSchema> | undefined =>
  health && {
    ...encodeInstants(health),
    state: healthStateNames.encode(health.state),
    reasons: health.reasons.map((reason) => healthReasonNames.encode(reason)),
  };

/** The message has no field for secrets, so they stay here. */
export function encodeReader(reader: Reader): MessageInitShape<typeof ReaderSchema> {
  return {
    ...encodeInstants(reader),
    kind: readerKindNames.encode(reader.kind),
    status: readerStatusNames.encode(reader.status),
    accepted: BigInt(reader.accepted),
    rejected: BigInt(reader.rejected),
    filters: reader.filters?.map(encodeReadFilter),
    health: encodeHealth(reader.health),
  };
}
