import { eventually } from "@asset-register/harness";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { type Count, newCount, Resolution, SessionStatus, VarianceKind, VarianceStatus } from "./count.ts";
import { startCounting } from "./platform.ts";

const counting = await startCounting();
afterAll(() => counting.stop());
const { calls, mongo, register, stocktake, tagging } = counting;

let registering = register.app;

/** Runs while register is unavailable, then starts it again at its address. */
async function withoutRegister(run: () => Promise<void>): Promise<void> {
  await register.stopProcess(registering);
  await run();
  registering = await register.start({ GRPC_ADDRESS: `127.0.0.1:${register.app.ports.grpc}` });
}

type Stored = { _id: string; workspaceId: string };
const collection = (name: string) => mongo.collection<Stored>(name);

test("a resolution whose process died between the call and the save is finished by another one, days later, with one effect", async () => {
  const { id: workspaceId, assets, place, scan, session, variances } = await newCount(counting);
  const [room, attic] = [await place("Room"), await place("Attic")];
  const a = await assets.make("A", room);
  const id = await session.open();
  await scan(id, attic, "A");
  await session.reconcile(id);
  const { id: varianceId, rev } = await variances.of(id, a);
  const resolved = await variances.resolve(varianceId, Resolution.CONFIRMED_MOVED);
  await assets.move(a, room);

  // The state after the call and before the save. The effect was days ago, and the asset was moved since.
  const resolving = { status: "resolving", rev: rev + 1 };
  await collection("sessions").updateOne({ _id: id, workspaceId }, { $inc: { unresolved: 1 } } as object);
  await collection("variances").updateOne({ _id: varianceId, workspaceId }, { $set: resolving });
  const due = { status: "resolving", "work.leaseUntil": new Date(0), "work.leaseHolder": null };
  const work = { _id: `${varianceId}:${rev + 1}`, workspaceId };
  await collection("resolutions").updateOne(work, { $set: due });

  const after = await eventually(async () => {
    const found = await variances.of(id, a);
    expect(found.status).toBe(resolved.status);
    return found;
  });
  expect(after).toMatchObject({ rev: rev + 2, resolution: Resolution.CONFIRMED_MOVED });
  expect((await session.read(id)).unresolved).toBe(0);
  expect((await assets.read(a)).locationId).toBe(room);
  const own = (await assets.movements(a)).filter(({ reason }) => reason === "stock-take");
  expect(own).toHaveLength(1);
});

test("register is unavailable while a session is reconciled and a variance resolved: both wait, and end as usual", async () => {
  const { assets, place, scan, session, variances, auditor } = await newCount(counting);
  const [room, attic] = [await place("Room"), await place("Attic")];
  const a = await assets.make("A", room);
  const id = await session.open();
  await scan(id, attic, "A");
  await withoutRegister(async () => {
    const { session: answer } = await calls.reconcile.reconcileSession({ id }, auditor);
    expect(answer?.status).toBe(SessionStatus.RECONCILING);
    const { status, progress } = await session.read(id);
    expect([status, progress?.total]).toEqual([SessionStatus.RECONCILING, 2]);
  });
  expect(await session.ended(id)).toMatchObject({ status: SessionStatus.RECONCILED, unresolved: 1 });
  const misplaced = await variances.of(id, a);
  await withoutRegister(async () => {
    expect(await codeOf(variances.tryToResolve(misplaced.id, Resolution.CONFIRMED_MOVED))).toBe(
      "UNAVAILABLE",
    );
    expect((await variances.of(id, a)).status).toBe(VarianceStatus.RESOLVING);
    expect((await session.read(id)).unresolved).toBe(1);
  });
  await variances.resolve(misplaced.id, Resolution.CONFIRMED_MOVED);
  expect((await session.read(id)).unresolved).toBe(0);
  expect((await assets.read(a)).locationId).toBe(attic);
});

test("tagging-ingest is unavailable while a session is reconciled: it waits, and ends as usual", async () => {
  const { assets, place, scan, session, auditor } = await newCount(counting);
  const room = await place("Room");
  await assets.make("A", room);
  const id = await session.open();
  await scan(id, room, "A");
  await tagging.stopProcess(tagging.app);
  const { session: answer } = await calls.reconcile.reconcileSession({ id }, auditor);
  expect(answer?.status).toBe(SessionStatus.RECONCILING);
  await tagging.start({ GRPC_ADDRESS: `127.0.0.1:${tagging.app.ports.grpc}` });
  expect(await session.ended(id)).toMatchObject({ status: SessionStatus.RECONCILED, coverage: 1 });
});

test("a scope that has grown too large fails the reconcile: the session is open, with the error TREE_TOO_LARGE", async () => {
  const { id: workspaceId, admin, assets, place, scan, session } = await newCount(counting);
  const room = await place("Room");
  const kind = OrganisationKind.CATEGORY;
  const { record } = await calls.organisation.createRecord({ record: { kind, name: "Tools" } }, admin);
  const categoryId = record?.id ?? "";
  await assets.make("A", room, { categoryId });
  const id = await session.open({ scopeType: ScopeType.CATEGORY, scopeId: categoryId });
  await scan(id, room, "A");
  // Raw documents, since there are many.
  const records = register.mongo.collection<Stored>("organisation");
  const stored = await records.findOne({ _id: categoryId, workspaceId });
  const children = Array.from({ length: 5_000 }, () => ({
    ...{ ...stored, workspaceId, parentId: categoryId },
    _id: newId("cat"),
  }));
  await records.insertMany(children);
  const { status, error } = await session.reconcile(id);
  expect([status, error?.code]).toEqual([SessionStatus.OPEN, "TREE_TOO_LARGE"]);
});

/** Three pages of 1,000, so that a process is killed in the middle. */
const ASSETS = 2_100;

/** Many assets in one room, all of which are scanned. */
async function scanAll({ id: workspaceId, admin, auditor, place, session }: Count): Promise<string> {
  const room = await place("Room");
  const ids: string[] = [];
  for (let at = 0; at < ASSETS; at += 700) {
    const assets = Array.from({ length: 700 }, () => ({ name: "Drill", locationId: room }));
    const { results } = await calls.assets.createAssets({ assets }, { ...admin, deadlineMs: 60_000 });
    ids.push(...results.map(({ id }) => id ?? ""));
  }
  const code = (index: number) => `T-${index}`;
  // Raw documents, since commissioning takes one call a tag.
  const tags = ids.map((assetId, index) => ({
    ...{ _id: newId("tag"), workspaceId, type: "qr", code: code(index), key: `code:${code(index)}` },
    ...{ lookupKeys: [], assetId, assigned: true, boundAt: new Date(), createdAt: new Date(), rev: 1 },
  }));
  await tagging.mongo.collection<Stored>("tags").insertMany(tags);
  const id = await session.open();
  for (let at = 0; at < ASSETS; at += 700) {
    const scans = Array.from({ length: 700 }, (_, index) => ({
      ...{ code: code(at + index), locationId: room, method: "qr", deviceId: "sled-1" },
      scannedAt: new Date().toISOString(),
    }));
    await calls.scans.addScans({ sessionId: id, scans }, { ...auditor, deadlineMs: 60_000 });
  }
  return id;
}

/** Another process of the service, and calls to it. */
async function startChild() {
  const child = await stocktake.spawn();
  const reconcile = stocktake.client(ReconcileService, "gateway", child);
  return { reconcile, variances: stocktake.client(VarianceService, "gateway", child), kill: child.kill };
}

/** Resolves a variance in a process that is killed while register is unavailable. */
async function killWhileResolving({ auditor, assets, place, scan, session, variances }: Count) {
  const [room, attic] = [await place("Room"), await place("Attic")];
  const a = await assets.make("A", room);
  const id = await session.open();
  await scan(id, attic, "A");
  await session.reconcile(id);
  const misplaced = await variances.of(id, a);
  await stocktake.stopProcess(stocktake.app);
  const child = await startChild();
  await withoutRegister(async () => {
    const request = { id: misplaced.id, resolution: Resolution.CONFIRMED_MOVED };
    expect(await codeOf(child.variances.resolveVariance(request, auditor))).toBe("UNAVAILABLE");
    await child.kill();
  });
  return { a, attic, varianceId: misplaced.id };
}

test("the worker is killed while it resolves, reconciles and stamps: another one continues, with the same result", async () => {
  const count = await newCount(counting);
  const { id: workspaceId, auditor, session, variances } = count;
  const id = await scanAll(count);
  const resolvingCount = await newCount(counting);
  const { a, attic, varianceId } = await killWhileResolving(resolvingCount);
  const stored = async (name: string, filter: object) => {
    expect(await collection(name).findOne({ workspaceId, ...filter } as object)).not.toBeNull();
  };
  const first = await startChild();
  void first.reconcile.reconcileSession({ id }, auditor).catch(() => undefined);
  await eventually(() => stored("sessions", { status: "reconciling", "progress.done": { $gt: 0 } }), {
    everyMs: 2,
  });
  await first.kill();
  expect(await collection("sessions").findOne({ _id: id, workspaceId })).toMatchObject({
    status: "reconciling",
  });
  await stocktake.expireKilled("sessions");

  const second = await startChild();
  await eventually(() => stored("sessions", { status: "reconciled" }));
  void second.reconcile.closeSession({ id }, auditor).catch(() => undefined);
  await eventually(() => stored("stampings", { "progress.done": { $gt: 0 } }), { everyMs: 2 });
  await second.kill();
  await stocktake.expireKilled("resolutions", "stampings");

  await stocktake.start({ GRPC_ADDRESS: `127.0.0.1:${stocktake.app.ports.grpc}` });
  const resolved = await resolvingCount.variances.resolve(varianceId, Resolution.CONFIRMED_MOVED);
  expect(resolved.status).toBe(VarianceStatus.RESOLVED);
  expect((await resolvingCount.assets.read(a)).locationId).toBe(attic);
  const own = (await resolvingCount.assets.movements(a)).filter(({ reason }) => reason === "stock-take");
  expect(own).toHaveLength(1);
  const done = await eventually(async () => {
    const found = await session.read(id);
    expect(found.stamped).toMatchObject({ done: ASSETS, total: ASSETS });
    return found;
  });
  expect(done).toMatchObject({ expected: ASSETS, tagsScanned: ASSETS, coverage: 1, accuracy: 1 });
  const page = { kind: VarianceKind.FOUND, sessionId: id };
  expect((await calls.variances.listVariances(page, auditor)).page?.total).toBe(ASSETS);
  expect((await variances.list(id)).length).toBeGreaterThan(0);
  const counted = { workspaceId, action: "counted" };
  expect(await register.mongo.collection("asset_history").countDocuments(counted)).toBe(ASSETS);
});
