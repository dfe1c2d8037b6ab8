import { eventually } from "@asset-register/harness";
import { AssetImageService, ImageSize } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import {
  CustomFieldService,
  CustomFieldStatus,
} from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { ImportService } from "@asset-register/proto/assetregister/register/v1/import_pb";
import {
  LabelService,
  LabelSheetStatus,
  LabelTemplate,
  MissingTags,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import {
  OrganisationKind,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId, toAppError } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import sharp from "sharp";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { download } from "../assets/image-support.ts";
import { customFieldCalls } from "../custom-fields/custom-field-support.ts";
import { importCalls } from "../import-support.ts";
import { labelCalls } from "../label-support.ts";
import { recordsOf } from "../organisation-support.ts";
import {
  copyAsset,
  holdAsset,
  holdRow,
  makeAsset,
  seedWorkspace,
  startRegister,
  type Workspace,
} from "../support.ts";

// Each test has three chunks of long work, whose last one can't end before the kill.

const register = await startRegister();
afterAll(() => register.stop());
let running = register.app;

/** Starts the process that is killed, as the only one. */
async function startChild() {
  await register.stopProcess(running);
  return register.spawn();
}

/** Starts another process, at the address of the clients. They connect again within 2 s, each on its own. */
async function startSuccessor({ admin }: Workspace): Promise<void> {
  running = await register.start({ GRPC_ADDRESS: `127.0.0.1:${register.app.ports.grpc}` });
  const { assets, customFields, labels, organisation } = register;
  await eventually(() =>
    Promise.all([
      assets.listAssets({}, admin),
      labels.getLabelSheet({ id: newId("lbl") }, admin).catch(ifFound),
      customFields.listCustomFields({}, admin),
      organisation.listRecords({ kind: OrganisationKind.PROPERTY }, admin),
    ]),
  );
}

/** Not for the answer that there is no such record. */
function ifFound(error: unknown): void {
  if (toAppError(error).kind !== "not_found") throw error;
}

const count = (workspace: Workspace, name: string, filter: object = {}) =>
  register.mongo.collection(name).countDocuments({ workspaceId: workspace.id, ...filter });

test("a killed process: another one continues the import, and no row is imported twice", async () => {
  const workspace = await seedWorkspace(register);
  const child = await startChild();
  const lastRow = { _id: newId("ast"), workspaceId: workspace.id, numberKeys: ["n-599"] };
  const held = await holdRow(register, "assets", lastRow);
  const imports = register.client(ImportService, "gateway", child);
  const rows = Array.from({ length: 600 }, (_, index) => `N-${index},Drill ${index},X1\n`);
  const { id } = await importCalls({ imports }, workspace).start(`number,name,model\n${rows.join("")}`);
  const stored = () => register.mongo.collection("imports").findOne({ _id: id, workspaceId: workspace.id });
  await eventually(
    async () => {
      expect(await stored()).toMatchObject({ status: "importing" });
      expect(await count(workspace, "assets")).toBeGreaterThan(0);
    },
    { everyMs: 5 },
  );
  await child.kill();
  expect(await stored()).toMatchObject({ status: "importing" });
  await held.go();
  await register.expireKilled("imports");
  await startSuccessor(workspace);
  const record = await eventually(() => importCalls(register, workspace).ended(id));
  expect(record).toMatchObject({
    progress: { done: 600, total: 600 },
    counts: { created: 600, updated: 0, unchanged: 0, rejected: 0 },
  });
  expect(await count(workspace, "assets")).toBe(600);
  expect(await count(workspace, "asset_history", { action: "created" })).toBe(600);
  expect(await count(workspace, "import_rows", { status: "created" })).toBe(600);
});

test("a killed process: another one continues the labels, and no asset gets a second tag or label", async () => {
  const workspace = await seedWorkspace(register);
  await copyAsset(register, workspace, await makeAsset(register, workspace), 249, (index) => ({
    numberKey: `copy ${index}`,
  }));
  const child = await startChild();
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  register.labelCodes.hold(async (call) => (call === 3 ? gate.promise : undefined));
  const labels = register.client(LabelService, "gateway", child);
  const request = { filter: {}, missingTags: MissingTags.BIND, template: LabelTemplate.LABEL_TEMPLATE_L7651 };
  const code = codeOf(labels.createLabelSheet(request, workspace.admin));
  type Stored = { _id: string; workspaceId: string; status: string; progress: { done: number } };
  const stored = async () => {
    const sheets = register.mongo.collection<Stored>("label_sheets");
    return (await sheets.findOne({ workspaceId: workspace.id })) ?? expect.fail("no such sheet");
  };
  await eventually(async () => expect((await stored()).progress.done).toBe(200), { everyMs: 5 });
  await child.kill();
  // On a busy machine the call has answered before the kill.
  expect([undefined, "UNAVAILABLE"]).toContain(await code);
  const { _id: id, status } = await stored();
  expect(status).toBe("making");
  gate.resolve();
  await register.expireKilled("label_sheets");
  await startSuccessor(workspace);
  const sheet = await eventually(() => labelCalls(register, workspace).ended(id));
  expect(sheet).toMatchObject({ status: LabelSheetStatus.READY, labels: 250, skipped: [] });
  expect(await count(workspace, "label_rows", { sheetId: id })).toBe(250);
  const tagged = register.labelCodes.bound;
  expect([tagged.length, new Set(tagged).size]).toEqual([250, 250]);
  expect((await labelCalls(register, workspace).file(id)).subarray(0, 5).toString()).toBe("%PDF-");
});

type StoredField = { _id: string; workspaceId: string; status: string; work?: { token: number } };

test("after a kill during indexing another process continues", async () => {
  const workspace = await seedWorkspace(register);
  const { define, asset, read, uniqueRows } = customFieldCalls(register, workspace);
  const { id: fieldId } = await define("mac");
  const { id } = await asset({ mac: "aa" });
  await copyAsset(register, workspace, id, 1_200, (index) => ({ customFields: { mac: `copy ${index}` } }));
  const stored = async () => {
    const fields = register.mongo.collection<StoredField>("custom_fields");
    const field = await fields.findOne({ _id: fieldId, workspaceId: workspace.id });
    return field ?? expect.fail("no such field");
  };
  const assets = register.mongo.collection<{ _id: string; workspaceId: string }>("assets");
  const [last] = await assets.find({ workspaceId: workspace.id }).sort({ _id: -1 }).limit(1).toArray();
  const child = await startChild();
  const lastRow = { _id: `${last?._id}:${fieldId}`, workspaceId: workspace.id };
  const held = await holdRow(register, "unique_values", lastRow);
  const client = register.client(CustomFieldService, "gateway", child);
  const request = { customField: { id: fieldId, unique: true }, updateMask: { paths: ["unique"] } };
  const code = codeOf(client.updateCustomField(request, workspace.admin));
  await eventually(async () => expect(await uniqueRows(fieldId)).not.toEqual([]), { everyMs: 5 });
  await child.kill();
  // On a busy machine the call has answered before the kill.
  expect([undefined, "UNAVAILABLE"]).toContain(await code);
  const killed = await stored();
  expect(killed.status).toBe("indexing");
  await held.go();
  await register.expireKilled("custom_fields");
  await startSuccessor(workspace);
  const field = await eventually(async () => {
    const found = await read(fieldId);
    expect(found.status).toBe(CustomFieldStatus.ACTIVE);
    return found;
  });
  expect(field).toMatchObject({ unique: true, rev: 3 });
  const { work, ...rest } = await stored();
  expect(rest).toMatchObject({ progress: { done: 1_201, total: 1_201 } });
  // Each holder of the lease has a new token. On a busy machine the successor may lose it once.
  expect(work?.token).toBeGreaterThan(killed.work?.token ?? Number.NaN);
  expect(await uniqueRows(fieldId)).toHaveLength(1_201);
});

test("a place with 1,200 assets is moved although the worker is killed, and each asset changes once", async () => {
  const home = await seedWorkspace(register);
  const records = recordsOf(register, home);
  const [from, to] = [await records.property(), await records.property()];
  const building = await records.building(from);
  const room = await records.location({ floorId: await records.floor(building) });
  const id = await makeAsset(register, home, { locationId: room });
  await copyAsset(register, home, id, 1_199);
  const assets = register.mongo.collection<{ _id: string; workspaceId: string }>("assets");
  const [last] = await assets.find({ workspaceId: home.id }).sort({ _id: -1 }).limit(1).toArray();
  const child = await startChild();
  const held = await holdAsset(register, home.id, last?._id ?? "");
  const organisation = register.client(OrganisationService, "gateway", child);
  const code = codeOf(recordsOf({ ...register, organisation }, home).update(building, { propertyId: to }));
  const placed = { deleted: false, locationId: room, propertyId: to, rev: 2 };
  await eventually(async () => expect(await count(home, "assets", placed)).toBeGreaterThan(0), {
    everyMs: 5,
  });
  await child.kill();
  expect([undefined, "UNAVAILABLE"]).toContain(await code);

  await register.expireKilled("organisation");
  await startSuccessor(home);
  const { placing } = await records.read(building);
  expect(placing).toMatchObject({ total: 1_200 });
  expect(placing?.done).toBeLessThan(1_200);
  expect(await codeOf(records.update(building, { propertyId: from }))).toBe("TREE_MOVING");
  // A creation does not wait for the work: it has its right place at once.
  const created = await makeAsset(register, home, { locationId: room });
  const { asset } = await register.assets.getAsset({ id: created }, home.admin);
  expect(asset).toMatchObject({ propertyId: to, buildingId: building, rev: 1 });

  await held.go();
  await records.placed(building);
  expect(await count(home, "assets", placed)).toBe(1_200);
  const total = async (propertyId: string) =>
    (await register.assets.listAssets({ propertyId }, home.admin)).page?.total;
  expect([await total(from), await total(to)]).toEqual([0, 1_201]);
  expect(await count(home, "asset_history", { action: "updated" })).toBe(1_200);
});

test("a process that is killed before an upload is saved leaves the image before, with its small image", async () => {
  const home = await seedWorkspace(register);
  const photo = (background: string) =>
    sharp({ create: { width: 900, height: 600, channels: 3, background } })
      .jpeg()
      .toBuffer();
  async function* contentOf(background: string): AsyncGenerator<Uint8Array> {
    yield await photo(background);
  }
  const id = await makeAsset(register, home);
  const images = register.client(AssetImageService);
  await images.setImage({ id }, contentOf("red"), home.admin);
  const readSmall = () => download(images, home, id, ImageSize.SMALL);
  const before = await readSmall();
  const child = await startChild();
  // The transaction that saves the image and its small image can't end.
  const held = await holdAsset(register, home.id, id);
  const killed = register.client(AssetImageService, "gateway", child);
  const code = codeOf(killed.setImage({ id }, contentOf("blue"), home.admin));
  await eventually(async () => expect(await count(home, "files", { sha256: { $exists: true } })).toBe(2), {
    everyMs: 5,
  });
  await child.kill();
  expect(await code).toBe("UNAVAILABLE");
  await held.go();
  await register.expireKilled("imports");
  await startSuccessor(home);
  expect(await eventually(readSmall)).toEqual(before);
  await images.setImage({ id }, contentOf("blue"), home.admin);
  expect((await readSmall()).sha256).not.toBe(before.sha256);
});
