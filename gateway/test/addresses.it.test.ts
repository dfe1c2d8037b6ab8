import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { createLogger } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";

/** Requests of tests come from 127.0.0.1. The proxied gateway trusts that address as a proxy, the direct one does not. */

const upstreams = [serving(AssetService, { listAssets: () => ({ assets: [] }) })];

const direct = await startGateway({ implementations: upstreams });
const proxied = await startGateway({
  implementations: upstreams,
  settings: { TRUSTED_PROXIES: "127.0.0.0/8,10.0.0.0/8" },
});

afterAll(async () => {
  await direct?.stop();
  await proxied?.stop();
});

/** Sends a request with a key that has this address list, and with this X-Forwarded-For. */
async function send(gateway: TestGateway, addresses: string[], forwardedFor?: string) {
  const response = await fetch(`${gateway.url}/v1/assets`, {
    headers: {
      authorization: `Bearer ${gateway.accounts.apiKeyFrom(addresses, "assets:read")}`,
      ...(forwardedFor !== undefined && { "x-forwarded-for": forwardedFor }),
    },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("a key is accepted only from the addresses on its list; the 403 names the address of the client", async () => {
  expect((await send(direct, ["127.0.0.1"])).status).toBe(200);
  expect((await send(direct, ["10.0.0.0/8", "127.0.0.0/8"])).status).toBe(200);
  expect((await send(direct, [])).status).toBe(200);
  const refused = await send(direct, ["192.0.2.0/24", "2001:db8::/32"]);
  expect(refused).toMatchObject({
    status: 403,
    body: { success: false, code: "FORBIDDEN", message: expect.stringContaining("127.0.0.1") },
  });
  // The request did not count against the rate limit of the workspace.
  expect(refused.headers.get("ratelimit")).toBeNull();
});

test("X-Forwarded-For from an untrusted client is ignored", async () => {
  expect((await send(direct, ["192.0.2.7"], "192.0.2.7")).status).toBe(403);
  expect((await send(direct, ["127.0.0.1"], "192.0.2.7")).status).toBe(200);
});

test("behind trusted proxies the client address is the last one in X-Forwarded-For that is not a proxy", async () => {
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7")).status).toBe(200);
  expect((await send(proxied, ["127.0.0.1"], "192.0.2.7")).status).toBe(403);
  expect((await send(proxied, ["2001:db8::/32"], "2001:db8::1")).status).toBe(200);
  expect((await send(proxied, ["192.0.2.7"], "::ffff:192.0.2.7")).status).toBe(200);
  // Through two proxies. The client itself may have sent the addresses before its own.
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7, 10.1.2.3")).status).toBe(200);
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7, 198.51.100.1")).status).toBe(403);
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7, 198.51.100.1, 10.1.2.3")).status).toBe(403);
});

test("a port behind a forwarded address is cut off, also behind that of a proxy", async () => {
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7:4711")).status).toBe(200);
  expect((await send(proxied, ["192.0.2.7"], "[::ffff:192.0.2.7]:4711")).status).toBe(200);
  expect((await send(proxied, ["2001:db8::7"], "[2001:db8::7]:443")).status).toBe(200);
  expect((await send(proxied, ["192.0.2.7"], "192.0.2.7:4711, 10.1.2.3:80")).status).toBe(200);
});

test("an X-Forwarded-For that is not an address is refused with 403", async () => {
  for (const forwarded of ["unknown", "192.0.2.7:port", ""]) {
    expect((await send(proxied, ["192.0.2.7"], forwarded)).status).toBe(403);
  }
  expect(await send(proxied, ["192.0.2.7"], "_hidden")).toMatchObject({
    body: { message: expect.stringContaining("unknown") },
  });
});

test("a gateway without TRUSTED_PROXIES warns once when requests have forwarding headers", async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: "gateway", level: "warn", destination });
  const warnings = () => lines.filter((line) => line.includes("TRUSTED_PROXIES"));
  const alone = await startGateway({ implementations: upstreams, logger });
  try {
    await send(alone, []);
    expect(warnings()).toEqual([]);
    await send(alone, [], "192.0.2.7");
    await send(alone, [], "192.0.2.8");
    expect(warnings()).toHaveLength(1);
    expect(JSON.parse(warnings()[0] ?? "")).toMatchObject({ level: "warn", header: "x-forwarded-for" });
  } finally {
    await alone.stop();
  }
});
