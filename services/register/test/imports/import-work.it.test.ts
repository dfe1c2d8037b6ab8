import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { ImportMode, ImportOnExisting } from "@asset-register/proto/assetregister/register/v1/import_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, workspaceEvent } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { importCalls, statusOf } from "../import-support.ts";
import { holdRow, makeRecord, seedWorkspace, startRegister, type Workspace } from "../support.ts";

// Small chunks, so that few rows have several.
const register = await startRegister({ importing: { chunkSizes: { validated: 50, imported: 20 } } });
afterAll(() => register.stop());

async function setUp() {
  const workspace = await seedWorkspace(register);
  return { workspace, ...importCalls(register, workspace) };
}

const count = (workspace: Workspace, name: string, filter: object = {}) =>
  register.mongo.collection(name).countDocuments({ workspaceId: workspace.id, ...filter });

const fileOf = (rows: number) =>
  `number,name,model\n${Array.from({ length: rows }, (_, index) => `N-${index},Drill ${index},X1\n`).join("")}`;

test("two imports of a workspace at once: one runs, the other gets IMPORT_RUNNING with its id; then another may start", async () => {
  const { workspace, start, ended } = await setUp();
  const file = fileOf(120);
  // The one that runs can't end before the other is refused.
  const last = { _id: newId("ast"), workspaceId: workspace.id, numberKeys: ["n-119"] };
  const held = await holdRow(register, "assets", last);
  const both = await Promise.allSettled([start(file), start(file)]);
  const [running] = both.filter((one) => one.status === "fulfilled");
  const [refused] = both.filter((one) => one.status === "rejected");
  expect(refused?.reason).toMatchObject({
    code: "IMPORT_RUNNING",
    violations: [{ field: "import_id", message: running?.value.id }],
  });
  await held.go();
  await ended(running?.value.id ?? "");
  expect(await count(workspace, "imports")).toBe(1);
  expect(await count(workspace, "assets")).toBe(120);
  await ended((await start("number,name\nX-1,Saw\n")).id);
  expect(await count(workspace, "files")).toBe(0);
});

test("a repeat with the same Idempotency-Key answers the same import; another file is IDEMPOTENCY_KEY_REUSED", async () => {
  const { workspace, start, ended } = await setUp();
  const keyed = { ...workspace.admin, idempotencyKey: "POST /import/assets again" };
  const file = "number,name\nA-1,Drill\n";
  const called = performance.now();
  const first = await start(file, {}, keyed);
  // A call works for 2 s. On a busy machine the import ends later.
  if (performance.now() - called < 2_000) expect(statusOf(first)).toBe("done");
  expect(statusOf(await ended(first.id))).toBe("done");
  expect(await start(file, {}, keyed)).toEqual(first);
  expect(await codeOf(start("number,name\nA-2,Drill\n", {}, keyed))).toBe("IDEMPOTENCY_KEY_REUSED");
  expect(await count(workspace, "imports")).toBe(1);
  expect(await count(workspace, "assets")).toBe(1);
});

test("the import of a disabled workspace waits until it is enabled", async () => {
  const { workspace, start, read, ended } = await setUp();
  // The import can't end before the workspace is disabled.
  const row = { _id: newId("ast"), workspaceId: workspace.id, numberKeys: ["n-30"] };
  const held = await holdRow(register, "assets", row);
  const { id } = await start(fileOf(60));
  const wait = { status: WorkspaceStatus.DISABLED };
  await register.publish(workspaceEvent(workspace.id, 2, wait));
  const disabled = { _id: workspace.id, workspaceId: workspace.id, active: false };
  await eventually(async () => {
    expect(await register.mongo.collection("workspaces").findOne(disabled)).not.toBeNull();
  });
  await held.go();
  const attempted = { _id: id, workspaceId: workspace.id, "work.attempts": { $gt: 0 } };
  await eventually(async () => {
    expect(await register.mongo.collection("imports").findOne(attempted)).not.toBeNull();
  });
  expect(["validating", "importing"]).toContain(statusOf(await read(id)));
  expect(await count(workspace, "assets")).toBeLessThan(60);
  await register.publish(workspaceEvent(workspace.id, 3));
  expect((await ended(id)).counts).toMatchObject({ created: 60, rejected: 0 });
});

test("an import and other creations with its numbers at once: each number is given once, and the counts are true", async () => {
  const { workspace, start, ended } = await setUp();
  const { admin } = workspace;
  const starting = start(fileOf(200), { mode: ImportMode.SKIP_BAD });
  const assets = Array.from({ length: 50 }, (_, index) => ({ name: "Other", number: `n-${199 - index}` }));
  // On a busy machine the import may win each conflict until the deadline.
  const keyed = { ...admin, idempotencyKey: "POST /assets/bulk", deadlineMs: 25_000 };
  // The first chunk is stored, the last one is not.
  await eventually(async () => expect(await count(workspace, "assets")).toBeGreaterThan(0), { everyMs: 5 });
  const { results } = await eventually(() => register.assets.createAssets({ assets }, keyed));
  const import_ = await starting;
  const others = results.filter(({ id }) => id !== undefined).length;
  const { counts } = await ended(import_.id);
  expect(counts!.created + others).toBe(200);
  // An asset that exists is left as it is.
  expect(counts!.unchanged).toBe(others);
  expect(await count(workspace, "assets")).toBe(200);
  expect((await register.assets.listAssets({}, admin)).page?.total).toBe(200);
});

test("rows of an import are removed after 30 days", async () => {
  const { workspace, run, rows } = await setUp();
  const { id } = await run("number,name\nA-1,Drill\n");
  expect(await rows(id)).toHaveLength(1);
  const [row] = await register.mongo
    .collection<{ _id: string; workspaceId: string; expiresAt: Date }>("import_rows")
    .find({ workspaceId: workspace.id })
    .toArray();
  expect(row!.expiresAt.getTime() - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
  expect(row!.expiresAt.getTime() - Date.now()).toBeLessThan(30.1 * 86_400_000);
});

test("a second run updates only what differs, each asset like a single change", async () => {
  const { workspace, start, ended } = await setUp();
  const store = await makeRecord(register, workspace, { kind: OrganisationKind.LOCATION, name: "Store" });
  const file = fileOf(120);
  const first = await ended((await start(file)).id);
  expect(first).toMatchObject({
    progress: { done: 120, total: 120 },
    counts: { created: 120, rejected: 0 },
  });
  const rows = Array.from({ length: 50 }, (_, index) => `N-${index},X2,${store},12.50\n`);
  const changed = `number,model,location_id,cost\n${rows.join("")}N-110,X1,,\n`;
  const second = await ended((await start(changed, { onExisting: ImportOnExisting.UPDATE })).id);
  expect(second.counts).toMatchObject({ created: 0, updated: 50, unchanged: 1, rejected: 0 });
  const values = { model: "X2", locationId: store, cost: 1_250, nbv: 1_250, rev: 2, movementCount: 1 };
  expect(await count(workspace, "assets", values)).toBe(50);
  expect(await count(workspace, "asset_history", { action: "updated" })).toBe(50);
  expect(await count(workspace, "asset_history", { action: "moved" })).toBe(50);
  expect(await count(workspace, "movements", { toLocationId: store, reason: "import" })).toBe(50);
  const { admin } = workspace;
  expect((await register.assets.listAssets({}, admin)).page?.total).toBe(120);
  expect((await register.custody.listMovements({}, admin)).page?.total).toBe(50);
});

test("an import and other changes of its assets at once: no change is lost", async () => {
  const { workspace, run, start, ended } = await setUp();
  const { admin } = workspace;
  await run(fileOf(120));
  const { assets } = await register.assets.listAssets({ page: { limit: 20 } }, admin);
  const updated = fileOf(120).replaceAll(",X1", ",X2");
  const [{ id }] = await Promise.all([
    start(updated, { onExisting: ImportOnExisting.UPDATE }),
    ...assets.map(({ id }) =>
      register.assets.updateAsset(
        { asset: { id, description: "Checked" }, updateMask: { paths: ["description"] } },
        { ...admin, deadlineMs: 30_000 },
      ),
    ),
  ]);
  expect((await ended(id)).counts).toMatchObject({ updated: 120, rejected: 0 });
  expect(await count(workspace, "assets", { model: "X2", description: "Checked", rev: 3 })).toBe(20);
  expect(await count(workspace, "assets", { model: "X2", rev: 2 })).toBe(100);
});

test("a row without a number never gets the number of a later row of the file", async () => {
  const { run } = await setUp();
  const unnumbered = ",Drill\n".repeat(21);
  const file = `number,name\n${unnumbered}AST-000001,Saw\n`;
  const { counts } = await run(file, { allowUnnumbered: true, onExisting: ImportOnExisting.UPDATE });
  expect(counts).toMatchObject({ created: 22, updated: 0, rejected: 0 });
});

test("a dry run that is interrupted before its end is saved ends again; one whose file is gone fails", async () => {
  const { workspace, run, ended } = await setUp();
  const { id } = await run("number,name\nA-1,Drill\n", { dryRun: true });
  const imports = register.mongo.collection<{ _id: string; workspaceId: string }>("imports");
  const again = () =>
    imports.updateOne(
      { _id: id, workspaceId: workspace.id },
      { $set: { status: "validating" }, $unset: { work: "", finishedAt: "" } },
    );
  await again();
  expect(statusOf(await ended(id))).toBe("done");
  await register.mongo.collection("files").deleteMany({ workspaceId: workspace.id });
  await again();
  const { status, error } = await ended(id);
  expect(statusOf({ status })).toBe("failed");
  expect(error?.message).toBe("The file is no longer stored. Upload it again.");
});
