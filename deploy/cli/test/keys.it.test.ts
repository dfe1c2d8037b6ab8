import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { findFreePort, freshDatabase, testServers } from "@asset-register/harness";
import { startPlatformProcess } from "@asset-register/local";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { caller } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, "../../..");
const logger = createLogger({ service: "test", level: "silent" });
const metrics = createMetrics({ service: "test" });

type Keys = Record<string, string>;

/** Runs the command and returns its Secrets as a file, and the keys of a component in them. */
async function keysCommand(folder: string, ...args: string[]) {
  const { stdout } = await run(process.execPath, [
    path.join(ROOT, "deploy/cli/src/main.ts"),
    "keys",
    ...args,
  ]);
  const file = path.join(folder, `${args.slice(0, 2).join("-")}.json`);
  await writeFile(file, stdout);
  const { items }: { items: { metadata: { name: string }; data: Keys }[] } = JSON.parse(stdout);
  const of = (component: string): Keys => {
    const { data } = items.find(({ metadata }) => metadata.name === `asset-register-keys-${component}`)!;
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, Buffer.from(value, "base64").toString()]),
    );
  };
  return { file, of };
}

test("keys of all components rotate without a refused call, while processes restart one by one", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let now = await keysCommand(folder, "create", "--namespace", "assets");
  const database = freshDatabase();
  const start = async (name: string) => {
    const [grpc, health] = [await findFreePort(), await findFreePort()];
    const register = await startPlatformProcess({
      name,
      entry: path.join(ROOT, "services/register/src/main.ts"),
      env: {
        ...{ NODE_ENV: "test", LOG_LEVEL: "error", ROLES: "api", PATH: process.env.PATH },
        ...{ MONGO_URL: testServers().mongoUrl, MONGO_DATABASE: database },
        ...{ KAFKA_BROKERS: testServers().kafkaBrokers.join(",") },
        ...{ IDENTITY_ADDRESS: "127.0.0.1:1", TAGGING_INGEST_ADDRESS: "127.0.0.1:1" },
        ...{ GRPC_ADDRESS: `127.0.0.1:${grpc}`, HEALTH_ADDRESS: `127.0.0.1:${health}` },
        ...now.of("register"),
      },
      healthAddress: `127.0.0.1:${health}`,
      dataDirectory: path.join(folder, name),
      progress: () => undefined,
    });
    onTestFinished(() => register.stop());
    await register.ready();
    return { ...register, address: `127.0.0.1:${grpc}` };
  };
  const processes = [await start("first"), await start("second")];

  /** Calls both processes as a gateway with these keys. */
  const callAll = async (keys: Keys) => {
    const identity = createServiceIdentity({
      name: "gateway",
      privateKeyPem: keys.SERVICE_PRIVATE_KEY!,
      trustedKeys: JSON.parse(keys.TRUSTED_KEYS!),
    });
    for (const { address } of processes) {
      const client = createRpcClient(AssetService, {
        address,
        identity,
        metrics,
        logger,
        deadlineMs: 20_000,
      });
      await client.listAssets({}, caller.user("wsp_1", "view")).finally(() => client.close());
    }
  };

  const first = now;
  for (const step of ["add", "use", "remove"]) {
    const next = await keysCommand(folder, "rotate", step, "--from", now.file);
    const gateways = [now.of("gateway"), next.of("gateway")];
    for (const register of processes) {
      await register.restart(next.of("register"));
      for (const gateway of gateways) await callAll(gateway);
    }
    now = next;
  }
  await expect(callAll(first.of("gateway"))).rejects.toThrow();
}, 600_000);
