import { Writable } from "node:stream";
import { eventually } from "@asset-register/harness";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { createLogger } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

let gateway: TestGateway;
let key: string;
const logged: { level: string; request_id?: string }[] = [];
let hang = true;

beforeAll(async () => {
  const destination = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)));
      done();
    },
  });
  gateway = await startGateway({
    implementations: [serving(TagService, { listTags: () => ({ tags: [] }) })],
    register: [
      serving(AssetService, {
        listAssets: () => (hang ? new Promise<never>(() => {}) : { assets: [] }),
        createAsset: () => {
          throw new Error("the password of the database is hunter2");
        },
      }),
    ],
    settings: { UPSTREAM_DEADLINE: "1s" },
    logger: createLogger({ service: "gateway", level: "info", destination }),
  });
  key = gateway.accounts.apiKey("assets:read", "assets:write", "tags:read");
});

afterAll(() => gateway?.stop());

test("a service that hangs is 503 with Retry-After, and takes no other route with it", async () => {
  const programs = gateway.programs(key);
  const hanging = Array.from({ length: 30 }, () => programs.call("GET", "/assets"));
  expect((await programs.call("GET", "/tags")).status).toBe(200);
  for (const answer of await Promise.all(hanging)) {
    expect(answer).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  // The breaker is open by now: the answer comes without waiting for the service.
  expect((await programs.call("GET", "/assets")).status).toBe(503);
  expect((await programs.call("GET", "/tags")).status).toBe(200);
  hang = false;
  await eventually(async () => expect((await programs.call("GET", "/assets")).status).toBe(200));
});

test("a failure inside is logged once, with its request and trace and without the credential", async () => {
  logged.length = 0;
  const headers = { "x-request-id": "failing-1" };
  const answer = await gateway.programs(key).call("POST", "/assets", { name: "x" }, headers);
  expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL", request_id: "failing-1" } });
  expect(JSON.stringify(answer.body)).not.toContain("hunter2");
  const lines = logged.filter(({ level }) => level === "error");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    request_id: "failing-1",
    code: "INTERNAL",
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(JSON.stringify(logged)).not.toContain(key);
});

test("what the caller did wrong is not logged as ours", async () => {
  logged.length = 0;
  await gateway.programs(key).call("POST", "/assets", {});
  await gateway.programs("nonsense").call("GET", "/assets");
  expect(logged.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});
