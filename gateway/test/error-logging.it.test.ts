import { Writable } from "node:stream";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { createLogger } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const logged: { level: string; request_id?: string }[] = [];

const destination = new Writable({
  write(line, _encoding, done) {
    logged.push(JSON.parse(String(line)));
    done();
  },
});
const gateway = await startGateway({
  implementations: [
    serving(AssetService, {
      createAsset: () => {
        throw new Error("the password of the database is hunter2");
      },
    }),
  ],
  logger: createLogger({ service: "gateway", level: "info", destination }),
});
const key = gateway.accounts.apiKey("assets:read", "assets:write");

afterAll(() => gateway?.stop());

test("a 500 is logged once, with its request id, that of the client and the trace id, and without the credential", async () => {
  logged.length = 0;
  const headers = { "x-request-id": "failing-1" };
  const answer = await gateway.surfaceA(key).call("POST", "/assets", { name: "x" }, headers);
  expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL", request_id: expect.any(String) } });
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
  const lines = logged.filter(({ level }) => level === "error");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    request_id: (answer.body as { request_id: string }).request_id,
    client_request_id: "failing-1",
    code: "INTERNAL",
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(JSON.stringify(logged)).not.toContain(key);
});

test("errors of the caller (4xx) are not logged as errors or warnings", async () => {
  logged.length = 0;
  await gateway.surfaceA(key).call("POST", "/assets", {});
  await gateway.surfaceA("nonsense").call("GET", "/assets");
  expect(logged.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});
