import type {
  CreateReaderRequest,
  RevokeReaderRequest,
  RotateReaderSecretRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ReaderFields } from "../domain/reader.ts";
import { readerKindNames } from "../encode/reader.ts";
import type { RevokeReader } from "../operations/readers/revoke-reader.ts";
import type { RotateReaderSecret } from "../operations/readers/rotate-reader-secret.ts";

const reader = z.object({
  name: field.text(limits.name),
  kind: field.enum(readerKindNames),
  zoneId: field.optionalId(),
  locationId: field.optionalId(),
});

export function decodeCreateReader(request: CreateReaderRequest): ReaderFields {
  return parse(reader, request);
}

const oneReader = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });
const rotation = oneReader.extend({
  overlapSeconds: field.integer({ max: limits.overlapSeconds }).optional(),
});

export function decodeRotateReaderSecret(request: RotateReaderSecretRequest): RotateReaderSecret {
  return parse(rotation, request);
}

export function decodeRevokeReader(request: RevokeReaderRequest): RevokeReader {
  return parse(oneReader, request);
}
