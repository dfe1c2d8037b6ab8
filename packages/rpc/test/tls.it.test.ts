import { testKeys } from "@asset-register/harness";
import { createMetrics } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import {
  createRpcClient,
  createRpcServer,
  createServiceIdentity,
  identityOptions,
  implement,
} from "../src/index.ts";
import type { Tls } from "../src/tls.ts";
import { own, strange } from "./certificates.ts";
import { echoService } from "./echo.ts";
import { echoHandlers, logger, user } from "./running.ts";

const keys = testKeys("server", "gateway");
const metrics = createMetrics({ service: "test" });

/** A process of this name with the TLS settings that an operator would give it. */
const identityOf = (name: "server" | "gateway", tls: Tls) =>
  createServiceIdentity(
    identityOptions(name, {
      SERVICE_PRIVATE_KEY: keys.privateKeyPem[name] ?? "",
      TRUSTED_KEYS: keys.trustedKeys,
      GRPC_TLS_CA: tls.ca,
      GRPC_TLS_CERT: tls.cert,
      GRPC_TLS_KEY: tls.key,
    }),
  );

async function look(serverTls: Tls, clientTls: Tls) {
  const desc = echoService();
  const server = createRpcServer({
    name: "test",
    address: { host: "127.0.0.1", port: 0 },
    implementations: [implement(desc, echoHandlers())],
    identity: identityOf("server", serverTls),
    logger,
    metrics,
  });
  const { port } = await server.start();
  const client = createRpcClient(desc, {
    address: { host: "127.0.0.1", port },
    ...{ identity: identityOf("gateway", clientTls), metrics, logger },
  });
  onTestFinished(async () => {
    client.close();
    await server.stop(1_000);
  });
  return client.look({ page: 7 }, { principal: user });
}

const { ca, ...pair } = own;
const refused = { kind: "unavailable" };

test("both sides show certificates of the authority that both believe", async () => {
  expect(await look(own, own)).toMatchObject({ page: 7 });
});

test.each<[string, Tls, Tls]>([
  ["a caller without a certificate", own, { ca }],
  ["a caller with a certificate of another authority", own, { ...strange, ca }],
  ["a caller in clear", own, {}],
  ["a server with a certificate of another authority", strange, own],
  ["a server in clear", {}, own],
])("%s is refused", async (_name, server, client) => {
  await expect(look(server, client)).rejects.toMatchObject(refused);
});

test("a server without an authority of its own wants no certificate of its callers", async () => {
  expect(await look(pair, { ca })).toMatchObject({ page: 7 });
});

test("half a pair is refused at the start", async () => {
  expect(() => identityOf("gateway", { cert: own.cert })).toThrow(/belong together/);
  await expect(look({ ca }, own)).rejects.toThrow(/needs cert and key/);
});
