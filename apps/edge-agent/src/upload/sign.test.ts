import { expect, test } from "vitest";
import { sign } from "./sign.ts";

test("the signature of a batch equals the published test vector", () => {
  const signed = sign("rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI", {
    path: "/asset_manager_api/ingest/events",
    id: "rdr_1",
    timestamp: 1_767_225_600,
    nonce: "n-1",
    body: new TextEncoder().encode('{"events":[]}'),
  });
  expect(signed).toBe("v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4");
});
