import { RotateApiKeyRequestSchema } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { AppError } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { decodeCreateApiKey, decodeRotateApiKey } from "./api-key.ts";

const now = new Date("2026-03-01T12:00:00Z");
const erp = { name: "ERP", scopes: ["assets:read"], allowedAddresses: [] };

/** The fields that a request is refused for. */
function refusedFields(decode: () => unknown): string[] {
  try {
    decode();
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.violations.map(({ field }) => field);
    throw error;
  }
}
const refused = (part: Partial<Parameters<typeof decodeCreateApiKey>[0]>) =>
  refusedFields(() => decodeCreateApiKey({ ...erp, ...part }, now));

describe("the request of a new key", () => {
  test("is trimmed, and its scopes are distinct", () => {
    const request = { name: " ERP ", scopes: ["finance", "assets:read", "finance"] };
    expect(decodeCreateApiKey({ ...request, allowedAddresses: [" 192.0.2.0/24 "] }, now)).toEqual({
      name: "ERP",
      scopes: ["assets:read", "finance"],
      allowedAddresses: ["192.0.2.0/24"],
    });
  });

  test("names each address that is not valid by its place, and may have 100 of them", () => {
    expect(refused({ allowedAddresses: ["::1", "intranet", "10.0.0.0/33"] })).toEqual([
      "allowed_addresses.1",
      "allowed_addresses.2",
    ]);
    expect(refused({ allowedAddresses: ["::ffff:10.0.0.0/104", "::ffff:10.0.0.0/8"] })).toEqual([
      "allowed_addresses.1",
    ]);
    expect(refused({ allowedAddresses: Array.from({ length: 100 }, () => "192.0.2.1") })).toEqual([]);
    expect(refused({ allowedAddresses: Array.from({ length: 101 }, () => "192.0.2.1") })).toEqual([
      "allowed_addresses",
    ]);
  });

  test("names each unknown scope by its place", () => {
    expect(refused({ scopes: ["assets:read", "root", "*"] })).toEqual(["scopes.1", "scopes.2"]);
  });

  test("needs a name, a scope and an expiry in the future, and names all three at once", () => {
    const wrong = { name: " ", scopes: [], expiresAt: timestampFromDate(now) };
    expect(refused(wrong).toSorted()).toEqual(["expires_at", "name", "scopes"]);
  });
});

test("the overlap of a rotation is at most 30 days", () => {
  const fields = (overlapSeconds: number | undefined) =>
    refusedFields(() =>
      decodeRotateApiKey(create(RotateApiKeyRequestSchema, { id: "key_1", overlapSeconds })),
    );
  for (const right of [undefined, 0, 1, 30 * 86_400]) expect(fields(right)).toEqual([]);
  expect(fields(30 * 86_400 + 1)).toEqual(["overlap_seconds"]);
});
