import { parseEpc } from "@asset-register/epc";
import type {
  CreateReaderRequest,
  ListReaderActivityRequest,
  ListReadersRequest,
  RevokeReaderRequest,
  RotateReaderSecretRequest,
  UpdateReaderRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import { type ActivityRange, activityRange } from "../domain/readers/activity-range.ts";
import type { ReaderFields, ReaderFilter } from "../domain/readers/reader.ts";
import { activityStepNames, readerKindNames, readerStatusNames } from "../encode/reader.ts";
import type { RevokeReader } from "../operations/readers/revoke-reader.ts";
import type { RotateReaderSecret } from "../operations/readers/rotate-reader-secret.ts";
import type { UpdateReader } from "../operations/readers/update-reader.ts";
import { readFilters } from "./read-filter.ts";

const readPoint = z.object({
  antenna: field.integer({ max: limits.antenna }),
  name: field.text(limits.name),
  zoneId: field.optionalId(),
  locationId: field.optionalId(),
  minRssi: field.integer({ min: limits.rssiLeast, max: limits.rssi }).optional(),
});

const epc = z.string().transform((text, context) => {
  const canonical = parseEpc(text);
  if (canonical !== undefined) return canonical;
  context.addIssue("must be hex of 4 to 124 digits in multiples of 4, or an EPC URI");
  return z.NEVER;
});

const reader = z.object({
  name: field.text(limits.name),
  kind: field.enum(readerKindNames),
  zoneId: field.optionalId(),
  locationId: field.optionalId(),
  autoMove: z.boolean(),
  antennas: z.array(readPoint).max(limits.antennas, `must have at most ${limits.antennas} antennas`),
  filters: readFilters(limits.readerFilters),
  referenceEpcs: z
    .array(epc)
    .max(limits.referenceEpcs, `must have at most ${limits.referenceEpcs} EPCs`)
    .transform((epcs) => [...new Set(epcs)]),
});

export function decodeCreateReader(request: CreateReaderRequest): ReaderFields {
  return parse(reader, request);
}

const oneReader = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });
const change = reader.omit({ kind: true });

export function decodeUpdateReader({
  reader: values,
  updateMask,
  ifRevIn,
}: UpdateReaderRequest): UpdateReader {
  const { id } = parse(oneReader, { id: values?.id, ifRevIn });
  return { id, ifRevIn, change: parsePatch(change, values, updateMask) };
}

export function decodeReaderFilter({ zoneId, kind, status, silent }: ListReadersRequest): ReaderFilter {
  return { zoneId, kind: readerKindNames.decode(kind), status: readerStatusNames.decode(status), silent };
}

const activity = z.object({
  id: field.id(),
  step: field.optionalEnum(activityStepNames),
  from: field.optionalInstant(),
  to: field.optionalInstant(),
});

export function decodeReaderActivity(
  request: ListReaderActivityRequest,
  now: Date,
): { id: string; range: ActivityRange } {
  const { id, ...asked } = parse(activity, request);
  return { id, range: activityRange(asked, now) };
}

const rotation = oneReader.extend({
  overlapSeconds: field.integer({ max: limits.overlapSeconds }).optional(),
});

export function decodeRotateReaderSecret(request: RotateReaderSecretRequest): RotateReaderSecret {
  return parse(rotation, request);
}

export function decodeRevokeReader(request: RevokeReaderRequest): RevokeReader {
  return parse(oneReader, request);
}
