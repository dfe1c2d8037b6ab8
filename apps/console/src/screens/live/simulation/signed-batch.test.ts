import { expect, test } from "vitest";
import { readerKey, signBatch } from "./signed-batch.ts";

test("the signature of a batch equals the published test vector", async () => {
  const key = await readerKey("rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI");
  const headers = await signBatch({
    ...{ id: "rdr_1", key, body: '{"events":[]}', at: new Date(1_767_225_600_000), nonce: "n-1" },
  });
  expect(headers["x-reader-timestamp"]).toBe("1767225600");
  expect(headers["x-reader-signature"]).toBe(
    "v1=15be882daaf0f0dd3db37302ed8f9b1723c5633e9338abf6df95d13726c0a4c4",
  );
});
