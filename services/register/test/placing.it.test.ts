import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually, privateServer } from "@asset-register/harness";
import { newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import mongoose from "mongoose";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { recordsOf } from "./organisation-support.ts";
import { makeAsset, seedWorkspace, startRegister } from "./support.ts";

/** Several chunks of the work. */
const ASSETS = 4_000;
const MAIN = fileURLToPath(import.meta.resolve("../src/main.ts"));
const WAIT = { timeoutMs: 240_000 };

// A private server, because the lifetime of the transactions of dead clients is a setting of the whole server.
const server = await privateServer("mongo");
const admin = await mongoose.createConnection(server.url).asPromise();
await admin.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 5 });
await admin.close();
const register = await startRegister({ mongoUrl: server.url, settings: { ROLES: "api,relay" } });
afterAll(async () => {
  await register.stop();
  await server.stop();
});

/** The worker in a process of its own, so that it can be killed. */
function startWorker(): ChildProcess {
  const env = { ...process.env, ...register.env, ROLES: "worker" };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("a place with 4,000 assets is moved although the worker is killed, and each asset changes once", {
  timeout: 600_000,
}, async () => {
  const first = startWorker();
  const home = await seedWorkspace(register);
  const records = recordsOf(register, home);
  const [from, to] = [await records.property(), await records.property()];
  const building = await records.building(from);
  const room = await records.location({ floorId: await records.floor(building) });
  const id = await makeAsset(register, home, { locationId: room });
  const assets = register.mongo.collection<Row>("assets");
  const own = { workspaceId: home.id };
  const original = await assets.findOne({ ...own, _id: id });
  for (let count = 1; count < ASSETS; count += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, ASSETS - count) }, () => newId("ast"));
    await assets.insertMany(ids.map((_id) => ({ ...original!, _id, numberKeys: [_id] })));
  }

  const { record } = await records.update(building, { propertyId: to });
  expect(record?.placing).toBeDefined();
  const placing = async () => (await records.read(building)).placing;
  // The first chunk counts. On a slow machine it takes longer than the request waits.
  await eventually(async () => {
    const now = await placing();
    expect(now).toMatchObject({ total: ASSETS });
    expect(now?.done).toBeGreaterThan(record?.placing?.done ?? 0);
  }, WAIT);
  const exited = once(first, "exit");
  first.kill("SIGKILL");
  await exited;

  const atKill = await placing();
  expect(atKill?.done).toBeLessThan(ASSETS);
  expect(await codeOf(records.update(building, { propertyId: from }))).toBe("TREE_MOVING");
  // A creation does not wait for the work: it has its right place at once.
  const created = await makeAsset(register, home, { locationId: room });
  const { asset } = await register.assets.getAsset({ id: created }, home.admin);
  expect(asset).toMatchObject({ propertyId: to, buildingId: building, rev: 1 });

  startWorker();
  await eventually(async () => expect(await placing()).toBeUndefined(), WAIT);
  const counts = { ...own, deleted: false, locationId: room };
  expect(await assets.countDocuments({ ...counts, propertyId: to, rev: 2 })).toBe(ASSETS);
  const total = async (propertyId: string) =>
    (await register.assets.listAssets({ propertyId }, home.admin)).page?.total;
  expect([await total(from), await total(to)]).toEqual([0, ASSETS + 1]);
  const rows = register.mongo.collection("asset_history");
  expect(await rows.countDocuments({ ...own, action: "updated" })).toBe(ASSETS);
});

type Row = { _id: string; workspaceId: string; numberKeys?: string[] };
