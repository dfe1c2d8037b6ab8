import type { RotateApiKeyRequest } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { parseAddressBlock } from "@asset-register/runtime";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { type ApiKeyFields, distinctScopes, scopes } from "../domain/api-key.ts";
import type { RotateApiKey } from "../operations/api-keys/rotate-api-key.ts";

const address = z
  .string()
  .trim()
  .refine(
    (text) => parseAddressBlock(text) !== undefined,
    "must be an IP address or a CIDR block; one of IPv4-mapped addresses has a prefix of at least 96",
  );

const newKey = z.object({
  name: field.text(limits.accountName),
  scopes: z
    .array(z.enum(scopes, "is not a known scope"))
    .min(1, "must name at least one scope")
    .transform(distinctScopes),
  expiresAt: field.optionalInstant(),
  allowedAddresses: z
    .array(address)
    .max(limits.allowedAddresses, `must name at most ${limits.allowedAddresses} addresses`),
});

/** Reads a CreateApiKeyRequest, or the options of an operator by the same names. */
export function decodeCreateApiKey(
  request: { name: string; scopes: string[]; expiresAt?: Timestamp | undefined; allowedAddresses: string[] },
  now: Date,
): ApiKeyFields {
  const inFuture = newKey.shape.expiresAt.refine(
    (end) => end === undefined || end > now,
    "must be in the future",
  );
  return parse(newKey.extend({ expiresAt: inFuture }), request);
}

const rotation = z.object({
  id: field.id(),
  overlapSeconds: field.integer({ max: limits.overlapSeconds }).optional(),
  ifRevIn: z.array(z.number()),
});

export function decodeRotateApiKey(request: RotateApiKeyRequest): RotateApiKey {
  return parse(rotation, request);
}
