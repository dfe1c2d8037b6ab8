import { certificates, testKeys } from "@asset-register/harness";
import {
  baseSettings,
  createCertificateWatch,
  createMetrics,
  loadConfig,
  type Tls,
} from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  createRpcClient,
  createRpcServer,
  createServiceIdentity,
  identityOptions,
  implement,
  rpcSettings,
} from "../src/index.ts";
import { echoService } from "./echo.ts";
import { echoHandlers, logger, user } from "./running.ts";

const { own, foreign } = certificates;
const keys = testKeys("server", "gateway");
const metrics = createMetrics({ service: "test" });

/** Creates the identity of a process with these TLS settings. */
const identityOf = (name: "server" | "gateway", tls: Tls, watch = createCertificateWatch({ logger })) =>
  createServiceIdentity(
    identityOptions(
      name,
      {
        SERVICE_PRIVATE_KEY: keys.privateKeyPem[name] ?? "",
        TRUSTED_KEYS: keys.trustedKeys,
        GRPC_TLS_CA: tls.ca,
        GRPC_TLS_CERT: tls.cert,
        GRPC_TLS_KEY: tls.key,
        GRPC_NETWORK_ENCRYPTED: false,
        NODE_ENV: "test",
      },
      watch,
    ),
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
    address: `127.0.0.1:${port}`,
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

test("a call succeeds if both sides have certificates of the authority that both trust", async () => {
  expect(await look(own, own)).toMatchObject({ page: 7 });
});

test.each<[string, Tls, Tls]>([
  ["a caller without a certificate", own, { ca }],
  ["a caller with a certificate of another authority", own, { ...foreign, ca }],
  ["a caller without TLS", own, {}],
  ["a server with a certificate of another authority", foreign, own],
  ["a server without TLS", {}, own],
])("%s is refused", async (_name, server, client) => {
  await expect(look(server, client)).rejects.toMatchObject(refused);
});

test("a server without a configured authority does not require certificates of its callers", async () => {
  expect(await look(pair, { ca })).toMatchObject({ page: 7 });
});

test("a certificate without a key, and a server without a certificate, are refused at the start", async () => {
  expect(() => identityOf("gateway", { cert: own.cert })).toThrow(/belong together/);
  await expect(look({ ca }, own)).rejects.toThrow(/needs cert and key/);
});

const schema = z.object({ ...baseSettings, ...rpcSettings });
const boot = (env: Record<string, string | undefined>) =>
  createServiceIdentity(
    identityOptions(
      "server",
      loadConfig(schema, {
        SERVICE_PRIVATE_KEY: keys.privateKeyPem.server,
        TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
        ...env,
      }),
      createCertificateWatch({ logger }),
    ),
  );

test("a process without TLS does not start in production, unless a setting says that the network encrypts", () => {
  const message =
    /NODE_ENV is production.*must be encrypted: set GRPC_TLS_CA, GRPC_TLS_CERT and GRPC_TLS_KEY, or GRPC_NETWORK_ENCRYPTED=true/;
  // Without NODE_ENV it is production.
  for (const NODE_ENV of ["production", undefined]) {
    expect(() => boot({ NODE_ENV })).toThrow(message);
    expect(() => boot({ NODE_ENV, GRPC_NETWORK_ENCRYPTED: "false" })).toThrow(message);
    boot({ NODE_ENV, GRPC_NETWORK_ENCRYPTED: "true" });
    boot({ NODE_ENV, GRPC_TLS_CA: own.ca, GRPC_TLS_CERT: own.cert, GRPC_TLS_KEY: own.key });
  }
  for (const NODE_ENV of ["development", "test"]) boot({ NODE_ENV });
});
