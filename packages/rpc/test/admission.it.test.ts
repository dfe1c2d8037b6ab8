import { once } from "node:events";
import { connect } from "node:http2";
import { certificates } from "@asset-register/harness";
import { Metadata, status } from "@grpc/grpc-js";
import { afterEach, expect, test } from "vitest";
import { AUDIENCE, apiKey, measured, metadataFor, type Running, running, user } from "./running.ts";

let current: Running | undefined;
afterEach(async () => {
  await current?.stop();
  current = undefined;
});

/** Starts a server that requires certificates of its clients. */
async function start(options: Parameters<typeof running>[0] = {}): Promise<Running> {
  current = await running({ tls: certificates.own, ...options });
  return current;
}

/** Opens a call, sends these bytes and never the rest, and returns the status of the answer. */
async function statusOf(
  { port }: Running,
  path: string,
  metadata: Metadata,
  bytes?: Buffer,
): Promise<status> {
  const session = connect(`https://127.0.0.1:${port}`, certificates.own);
  const call = session.request({
    ...{ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" },
    ...metadata.toHttp2Headers(),
  });
  if (bytes !== undefined) call.write(bytes);
  const [headers] = await once(call, "response");
  session.destroy();
  return Number(headers["grpc-status"]);
}

/** The first bytes of a message: not compressed, and its length. */
function lengthOf(bytes: number): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes, 1);
  return prefix;
}

const HEALTH = "/grpc.health.v1.Health/Check";
const methodPath = (name: string) => `/test.v1.EchoService/${name}`;

/** Metadata with the entry of one call as that of another one. */
function moved(from: Metadata, name: string, to: Metadata, as = name): Metadata {
  const result = to.clone();
  for (const value of from.get(name)) result.set(as, value);
  return result;
}

test.each(["Look", "Change", "Anyone", "SignedIn", "Inside", "List", "Put"])(
  "%s refuses a call without the identity of a service, before its message arrives",
  async (name) => {
    const server = await start();
    expect(await statusOf(server, methodPath(name), new Metadata())).toBe(status.UNAUTHENTICATED);
    expect(await measured(server.metrics, "server", name, "UNAUTHENTICATED")).toBe(1);
  },
);

const OTHER = "assetregister.finance.v1";
test.each<[string, (ids: Running["ids"]) => Promise<Metadata>]>([
  ["tokens for another service", ({ gateway }) => metadataFor(gateway, user, OTHER)],
  [
    "the token of its user for another service",
    async ({ gateway }) =>
      moved(await metadataFor(gateway, user, OTHER), "authorization", await metadataFor(gateway)),
  ],
  [
    "the token of its user only",
    async ({ gateway }) => moved(await metadataFor(gateway, user), "authorization", new Metadata()),
  ],
  [
    "the token of its user in place of that of a service",
    async ({ gateway }) =>
      moved(await metadataFor(gateway, user), "authorization", new Metadata(), "service-authorization"),
  ],
  [
    "the token of a user that another service has received",
    async ({ gateway, register }) =>
      moved(await metadataFor(gateway, user), "authorization", await metadataFor(register)),
  ],
  ["no user, from a service other than the gateway", ({ register }) => metadataFor(register)],
])("a call with %s is refused before its message arrives", async (_name, metadata) => {
  const server = await start();
  const refused = await statusOf(server, methodPath("Anyone"), await metadata(server.ids));
  expect(refused).toBe(status.UNAUTHENTICATED);
});

test("a token is refused a minute after its issue, also if it was accepted before", async () => {
  let now = Date.now();
  const server = await start({ now: () => now });
  await server.gateway.look({}, { principal: user });
  const metadata = await metadataFor(server.ids.gateway, user, AUDIENCE);
  now += 61_000;
  expect(await statusOf(server, methodPath("Look"), metadata)).toBe(status.UNAUTHENTICATED);
  await server.gateway.look({}, { principal: user });
});

test("a method that is open to everybody admits the gateway only", async () => {
  const { gateway, register } = await start();
  await gateway.anyone({}, { principal: { kind: "anonymous" } });
  await expect(register.anyone({})).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a message that is larger than its method allows is refused by its length, before its content arrives", async () => {
  const server = await start();
  const metadata = await metadataFor(server.ids.gateway, apiKey);
  const large = lengthOf(128 * 1024 + 1);
  expect(await statusOf(server, methodPath("Change"), metadata, large)).toBe(status.RESOURCE_EXHAUSTED);
  expect(await statusOf(server, methodPath("Put"), metadata, large)).toBe(status.RESOURCE_EXHAUSTED);
  const call = { principal: apiKey, deadlineMs: 60_000 };
  await expect(server.gateway.change({ cursor: "x".repeat(128 * 1024) }, call)).rejects.toMatchObject({
    ...{ kind: "invalid", code: "PAYLOAD_TOO_LARGE" },
  });
  // The option of this method allows 16 MiB.
  const cursor = "x".repeat(1024 * 1024);
  expect(await server.gateway.look({ cursor }, call)).toMatchObject({ nextCursor: cursor });
});

test("a health check has at most 4 KiB, since everybody may send it", async () => {
  const server = await start();
  expect(await statusOf(server, HEALTH, new Metadata(), lengthOf(4097))).toBe(status.RESOURCE_EXHAUSTED);
});
