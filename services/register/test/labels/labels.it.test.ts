import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import {
  LabelCode,
  LabelField,
  LabelFormat,
  LabelSheetStatus,
  MissingTags,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId, unavailable } from "@asset-register/runtime";
import { codeOf, failure, workspaceEvent } from "@asset-register/service-harness";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { labelCalls } from "../label-support.ts";
import {
  copyAsset,
  makeAsset,
  makeRecord,
  seedWorkspace,
  startRegister,
  type Workspace,
} from "../support.ts";

// Small chunks, so that few labels have several. The clock can be moved.
let later = 0;
const now = () => new Date(Date.now() + later);
const register = await startRegister({ now, labelling: { chunk: 5 } });
afterAll(() => register.stop());

async function setUp() {
  const workspace = await seedWorkspace(register, { name: "Example Works" });
  return { workspace, ...labelCalls(register, workspace) };
}

async function taggedAsset(workspace: Workspace, code: string, fields: object = {}): Promise<string> {
  const id = await makeAsset(register, workspace, fields);
  register.labelCodes.codes.set(id, code);
  return id;
}

const idsOf = (workspace: Workspace) =>
  register.mongo
    .collection<{ _id: string; workspaceId: string; numberKey: string }>("assets")
    .find({ workspaceId: workspace.id }, { sort: { numberKey: 1 } })
    .map(({ _id }) => _id)
    .toArray();

const bindsOf = (ids: string[]) => register.labelCodes.bound.filter((id) => ids.includes(id));

describe("a sheet of labels", () => {
  test("has a label for each asset with a code, in the order of the request, and its file", async () => {
    const { workspace, make, file } = await setUp();
    const second = await taggedAsset(workspace, "AR-2", { name: "Saw" });
    const first = await taggedAsset(workspace, "AR-1", { name: "Drill" });
    const request = { assetIds: [first, second, first], format: LabelFormat.ZPL, template: "50x25" as const };
    const sheet = await make({ ...request, text: "Return to us" });
    expect(sheet).toMatchObject({
      ...{ status: LabelSheetStatus.READY, labels: 3, skipped: [], progress: { done: 3, total: 3 } },
      ...{ code: LabelCode.QR, startAt: 1, dpi: 203, text: "Return to us", missingTags: MissingTags.SKIP },
      content: [LabelField.NUMBER, LabelField.NAME, LabelField.WORKSPACE_NAME],
    });
    const zpl = (await file(sheet.id)).toString();
    const labels = zpl.split("^XA").slice(1);
    expect(labels.map((label) => /\^FD(Drill|Saw)\^FS/.exec(label)?.[1])).toEqual(["Drill", "Saw", "Drill"]);
    for (const label of labels) {
      expect(label).toContain("^FDExample Works^FS");
      expect(label).toContain("^FDReturn to us^FS");
    }
  });

  test("of a filter has the assets that match, in the order of their numbers", async () => {
    const { workspace, make, file } = await setUp();
    const store = await makeRecord(register, workspace, { kind: OrganisationKind.LOCATION, name: "Store" });
    for (const number of ["C-3", "A-1", "B-2"])
      await taggedAsset(workspace, number, { number, locationId: store });
    await taggedAsset(workspace, "X-1", { number: "X-1" });
    const sheet = await make({
      ...{ filter: { locationId: store }, format: LabelFormat.ZPL, template: "50x25" },
      content: [LabelField.NUMBER],
    });
    const zpl = (await file(sheet.id)).toString();
    expect([...zpl.matchAll(/\^FD(.-\d)\^FS/g)].map(([, number]) => number)).toEqual(["A-1", "B-2", "C-3"]);
  });

  test("is a PDF by default, which begins at the label that was asked for", async () => {
    const { workspace, make, file } = await setUp();
    const id = await taggedAsset(workspace, "AR-1");
    const pdf = await file((await make({ assetIds: [id, id], startAt: 21 })).id);
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    // The second label is on the second page.
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)).toHaveLength(2);
  });

  test("lists assets without a label, each with its code; a retired one with a tag has a label", async () => {
    const { workspace, make } = await setUp();
    const { assets } = register;
    const { statuses } = await assets.listStatuses({}, workspace.admin);
    const statusId = (key: string) => statuses.find((status) => status.key === key)!.id;
    const [none, long] = [
      await makeAsset(register, workspace),
      await taggedAsset(workspace, "x".repeat(250)),
    ];
    const [retired, untagged] = [await taggedAsset(workspace, "AR-7"), await makeAsset(register, workspace)];
    const disposed = await taggedAsset(workspace, "AR-8");
    for (const id of [retired, untagged])
      await assets.changeStatus({ id, statusId: statusId("retired") }, workspace.admin);
    await assets.disposeAsset({ id: disposed, method: 2 }, workspace.admin);
    const gone = await makeAsset(register, workspace);
    register.labelCodes.refused.add(gone);
    const assetIds = [none, long, retired, untagged, disposed, gone];
    const skipped = await make({ assetIds });
    expect([skipped.labels, skipped.skipped.map(({ assetId, code }) => [assetId, code])]).toEqual([
      1,
      [
        [none, "TAG_MISSING"],
        [long, "CODE_DOES_NOT_FIT"],
        [untagged, "TAG_MISSING"],
        [disposed, "ASSET_DISPOSED"],
        [gone, "ASSET_TAKES_NO_TAG"],
      ],
    ]);
    const bound = await make({ assetIds, missingTags: MissingTags.BIND });
    expect(bound.skipped.map(({ assetId, code }) => [assetId, code])).toEqual([
      [long, "CODE_DOES_NOT_FIT"],
      [untagged, "ASSET_TAKES_NO_TAG"],
      [disposed, "ASSET_DISPOSED"],
      [gone, "ASSET_TAKES_NO_TAG"],
    ]);
    expect(bindsOf(assetIds)).toEqual([none]);
  });

  test("without any code is failed and says why; its file is LABELS_NOT_READY", async () => {
    const { workspace, make, file } = await setUp();
    const sheet = await make({ assetIds: [await makeAsset(register, workspace)] });
    expect(sheet).toMatchObject({
      status: LabelSheetStatus.FAILED,
      error: { code: "VALIDATION_FAILED", message: expect.stringContaining("No asset has a code") },
      skipped: [{ code: "TAG_MISSING" }],
    });
    expect(await codeOf(file(sheet.id))).toBe("LABELS_NOT_READY");
  });

  test("of several chunks binds each tag once, and a repeat with the same Idempotency-Key makes no other sheet", async () => {
    const { workspace, create, ended, file } = await setUp();
    await copyAsset(register, workspace, await makeAsset(register, workspace), 11, (index) => ({
      numberKey: `copy ${index}`,
    }));
    const assetIds = await idsOf(workspace);
    const keyed = { ...workspace.admin, idempotencyKey: "POST /labels again" };
    const request = { assetIds, missingTags: MissingTags.BIND };
    const first = await create(request, keyed);
    expect(await create(request, keyed)).toEqual(first);
    expect(await codeOf(create({ assetIds: assetIds.slice(1) }, keyed))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await ended(first.id)).toMatchObject({ labels: 12, skipped: [] });
    expect((await file(first.id)).length).toBeGreaterThan(1_000);
    expect(
      await register.mongo.collection("label_sheets").countDocuments({ workspaceId: workspace.id }),
    ).toBe(1);
    expect(bindsOf(assetIds).toSorted()).toEqual(assetIds.toSorted());
  });

  test("two at once of the same assets are both made, and each asset has one tag", async () => {
    const { workspace, make } = await setUp();
    await copyAsset(register, workspace, await makeAsset(register, workspace), 7);
    const assetIds = await idsOf(workspace);
    const request = { assetIds, missingTags: MissingTags.BIND };
    const both = await Promise.all([make(request), make(request)]);
    for (const sheet of both) expect(sheet).toMatchObject({ status: LabelSheetStatus.READY, labels: 8 });
    expect(bindsOf(assetIds)).toHaveLength(8);
  });
});

describe("a request for labels", () => {
  test("names what does not fit: zpl on a sheet, a label beyond the page, modules below 0.25 mm", async () => {
    const { workspace, create } = await setUp();
    const assetIds = [await taggedAsset(workspace, "AR-1")];
    const fieldOf = async (request: Parameters<typeof create>[0]) =>
      (await failure(create({ assetIds, ...request })))?.violations.map(({ field }) => field);
    expect(await fieldOf({ format: LabelFormat.ZPL })).toEqual(["format"]);
    expect(await fieldOf({ startAt: 22 })).toEqual(["start_at"]);
    expect(await fieldOf({ startAt: 2, template: "50x25" })).toEqual(["start_at"]);
    expect(await fieldOf({ code: LabelCode.CODE128, template: "l7651" })).toEqual(["code"]);
    expect(await fieldOf({ dpi: 200 })).toEqual(["dpi"]);
    expect(await fieldOf({ text: "x".repeat(41) })).toEqual(["text"]);
    expect(await fieldOf({ content: [LabelField.NAME, LabelField.NAME] })).toEqual(["content"]);
    expect(await fieldOf({ filter: {} })).toEqual(["asset_ids"]);
    expect(await fieldOf({ assetIds: [] })).toEqual(["asset_ids"]);
    expect(await fieldOf({ assetIds: [], filter: { q: "nothing" } })).toEqual(["filter"]);
  });

  test("with an unknown, deleted or foreign asset is NOT_FOUND with the place of each", async () => {
    const { workspace, create } = await setUp();
    const foreign = await taggedAsset(await seedWorkspace(register), "AR-1");
    const [kept, deleted] = [await taggedAsset(workspace, "AR-2"), await taggedAsset(workspace, "AR-3")];
    await register.assets.deleteAsset({ id: deleted }, workspace.admin);
    const error = await failure(create({ assetIds: [kept, newId("ast"), foreign, deleted] }));
    expect(error).toMatchObject({
      code: "NOT_FOUND",
      violations: [{ field: "asset_ids.1" }, { field: "asset_ids.2" }, { field: "asset_ids.3" }],
    });
  });

  test("for more than 5,000 assets is TOO_LARGE, by ids and by filter", async () => {
    const { workspace, create } = await setUp();
    const id = await taggedAsset(workspace, "AR-1");
    expect(await codeOf(create({ assetIds: Array(5_001).fill(id) }))).toBe("TOO_LARGE");
    await copyAsset(register, workspace, id, 5_000, (index) => ({ numberKey: `copy ${index}` }));
    expect(await codeOf(create({ filter: {} }))).toBe("TOO_LARGE");
  });

  test("to bind tags needs the capability edit", async () => {
    const { workspace, create, ended } = await setUp();
    const assetIds = [await makeAsset(register, workspace)];
    const request = { assetIds, missingTags: MissingTags.BIND };
    expect(await codeOf(create(request, workspace.user("view")))).toBe("FORBIDDEN");
    expect(bindsOf(assetIds)).toEqual([]);
    const sheet = await create(request, workspace.user("view", "edit"));
    expect(await ended(sheet.id)).toMatchObject({ labels: 1 });
  });
});

test("only its maker and admins see a sheet; for others, and in another workspace, it is not found", async () => {
  const { workspace, create, read, file } = await setUp();
  const assetIds = [await taggedAsset(workspace, "AR-1")];
  const maker = workspace.user("view");
  const { id } = await create({ assetIds }, maker);
  for (const call of [maker, workspace.user("admin")]) {
    expect(await read(id, call)).toMatchObject({ id });
    await eventually(async () => expect((await file(id, call)).length).toBeGreaterThan(0));
  }
  for (const call of [workspace.user("view", "edit", "manage"), (await seedWorkspace(register)).admin]) {
    expect(await codeOf(read(id, call))).toBe("NOT_FOUND");
    expect(await codeOf(file(id, call))).toBe("NOT_FOUND");
  }
});

test("a sheet is not found after 24 hours, and the database removes it with its labels", async () => {
  const { workspace, make, read, file } = await setUp();
  const { id } = await make({ assetIds: [await taggedAsset(workspace, "AR-1")] });
  onTestFinished(() => {
    later = 0;
  });
  later = 24 * 3_600_000 - 60_000;
  expect(await read(id)).toMatchObject({ id });
  later = 24 * 3_600_000 + 1_000;
  expect(await codeOf(read(id))).toBe("NOT_FOUND");
  expect(await codeOf(file(id))).toBe("NOT_FOUND");
  for (const name of ["label_sheets", "label_rows"]) {
    type Row = { _id: string; workspaceId: string; expiresAt: Date };
    const [row] = await register.mongo.collection<Row>(name).find({ workspaceId: workspace.id }).toArray();
    expect(Math.abs(row!.expiresAt.getTime() - Date.now() - 24 * 3_600_000)).toBeLessThan(600_000);
  }
});

test("while tagging-ingest is unavailable, and while the workspace is disabled, a sheet waits and is not failed", async () => {
  const { workspace, create, read, ended } = await setUp();
  const assetIds = [await taggedAsset(workspace, "AR-1")];
  register.labelCodes.hold(async () => {
    throw unavailable();
  });
  const { id, status } = await create({ assetIds });
  expect(status).toBe(LabelSheetStatus.MAKING);
  const attempted = { _id: id, workspaceId: workspace.id, "work.attempts": { $gt: 0 } };
  await eventually(async () => {
    expect(await register.mongo.collection("label_sheets").findOne(attempted)).not.toBeNull();
  });
  await register.publish(workspaceEvent(workspace.id, 2, { status: WorkspaceStatus.DISABLED }));
  const disabled = { _id: workspace.id, workspaceId: workspace.id, active: false };
  await eventually(async () => {
    expect(await register.mongo.collection("workspaces").findOne(disabled)).not.toBeNull();
  });
  register.labelCodes.hold(async () => undefined);
  expect(await read(id)).toMatchObject({ status: LabelSheetStatus.MAKING });
  await register.publish(workspaceEvent(workspace.id, 3));
  expect(await ended(id)).toMatchObject({ status: LabelSheetStatus.READY, labels: 1 });
});
