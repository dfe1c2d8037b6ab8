import { expect, test } from "vitest";
import { readerKey, signBatch, signEvent } from "./sign.ts";

const reader = readerKey("rdr_1", "rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI");

test("the signature of an event equals the published test vector", () => {
  const event = signEvent(reader, { epc: "303435FC8803D056D15B963F", ts: "2026-01-01T00:00:00.000Z" });
  expect(event.signature).toBe("1e851ef68113ddb65514cdc01d3708a8071e86dbcd9db63a5a2bab52daf76dba");
});

test("the signature of a batch equals the published test vector", () => {
  const headers = signBatch(reader, '{"events":[]}', { at: new Date(1_767_225_600_000), nonce: "n-1" });
  expect(headers["x-reader-signature"]).toBe(
    "v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4",
  );
});
