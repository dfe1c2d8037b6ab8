import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import { serving } from "./upstreams.ts";

/** Tests come from 127.0.0.1: one gateway believes what that forwards, the other does not. */
let facing: TestGateway;
let proxied: TestGateway;

const upstreams = [serving(AssetService, { listAssets: () => ({ assets: [] }) })];

beforeAll(async () => {
  facing = await startGateway({ implementations: upstreams });
  proxied = await startGateway({
    implementations: upstreams,
    settings: { TRUSTED_PROXIES: "127.0.0.0/8,10.0.0.0/8" },
  });
});

afterAll(async () => {
  await facing?.stop();
  await proxied?.stop();
});

/** What a request answers that is forwarded, by its own words, for `forwardedFor`. */
async function ask(gateway: TestGateway, addresses: string[], forwardedFor?: string) {
  const response = await fetch(`${gateway.url}/v1/assets`, {
    headers: {
      authorization: `Bearer ${gateway.accounts.apiKeyFrom(addresses, "assets:read")}`,
      ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }),
    },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("a key is taken from the addresses on its list alone; others are told theirs", async () => {
  expect((await ask(facing, ["127.0.0.1"])).status).toBe(200);
  expect((await ask(facing, ["10.0.0.0/8", "127.0.0.0/8"])).status).toBe(200);
  expect((await ask(facing, [])).status).toBe(200);
  const refused = await ask(facing, ["192.0.2.0/24", "2001:db8::/32"]);
  expect(refused).toMatchObject({
    status: 403,
    body: { success: false, code: "FORBIDDEN", message: expect.stringContaining("127.0.0.1") },
  });
  // It did not count against the allowance of the key's workspace.
  expect(refused.headers.get("ratelimit")).toBeNull();
});

test("a forwarding header of whoever is no trusted proxy changes nothing", async () => {
  expect((await ask(facing, ["192.0.2.7"], "192.0.2.7")).status).toBe(403);
  expect((await ask(facing, ["127.0.0.1"], "192.0.2.7")).status).toBe(200);
});

test("behind trusted proxies the address is the last that none of them has", async () => {
  expect((await ask(proxied, ["192.0.2.7"], "192.0.2.7")).status).toBe(200);
  expect((await ask(proxied, ["127.0.0.1"], "192.0.2.7")).status).toBe(403);
  expect((await ask(proxied, ["2001:db8::/32"], "2001:db8::1")).status).toBe(200);
  expect((await ask(proxied, ["192.0.2.7"], "::ffff:192.0.2.7")).status).toBe(200);
  // Through two proxies; what stands before is the client's own claim.
  expect((await ask(proxied, ["192.0.2.7"], "192.0.2.7, 10.1.2.3")).status).toBe(200);
  expect((await ask(proxied, ["192.0.2.7"], "192.0.2.7, 198.51.100.1")).status).toBe(403);
  expect((await ask(proxied, ["192.0.2.7"], "192.0.2.7, 198.51.100.1, 10.1.2.3")).status).toBe(403);
});

test("what is no address is not on any list", async () => {
  for (const forwarded of ["unknown", "192.0.2.7:4711", ""]) {
    expect((await ask(proxied, ["192.0.2.7"], forwarded)).status).toBe(403);
  }
});
