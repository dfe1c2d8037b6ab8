import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { failure } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, describe, expect, test } from "vitest";
import { type Asset, newAsset } from "../../src/domain/assets/asset.ts";
import { assetRecords } from "../../src/store/assets/asset-records.ts";
import {
  type AssetListRequest,
  makeAsset,
  makeRecord,
  type RunningRegister,
  seedWorkspace,
  sharedRegister,
  type Workspace,
} from "../support.ts";

let register: RunningRegister;
beforeAll(async () => {
  register = await sharedRegister();
});

const actor = { kind: "user" as const, id: "usr_1" };

async function list({ admin }: Workspace, request: AssetListRequest) {
  const { assets, page, nextUpdatedSince } = await register.assets.listAssets(request, admin);
  return { assets, ids: assets.map(({ id }) => id), page, nextUpdatedSince };
}

/** All rows, page by page. */
async function readAll(workspace: Workspace, request: AssetListRequest, limit = 100) {
  const found = [];
  let cursor: string | undefined;
  do {
    const { assets, page } = await list(workspace, { ...request, page: { ...request.page, limit, cursor } });
    found.push(...assets);
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** Stores assets without the operation: fast, and with fields of any value. */
async function store(workspaceId: string, count: number, fields: (index: number) => Partial<Asset>) {
  const { insertMany } = assetRecords.store(register.mongo);
  const assets = Array.from({ length: count }, (_, index) => {
    const own = { id: newId("ast"), workspaceId, number: `N-${index}`, statusId: "sta_1", currency: "EUR" };
    return { ...newAsset({ name: `Asset ${index}` }, own, new Date(), actor), ...fields(index) };
  });
  for (let from = 0; from < count; from += 1_000) {
    const part = assets.slice(from, from + 1_000);
    await register.mongo.transaction({}, (session) => insertMany(workspaceId, part, session));
  }
  return assets;
}

/** Deletes an asset as the operation does. */
async function remove(workspaceId: string, id: string, at = new Date()) {
  const { findOne, save } = assetRecords.store(register.mongo);
  await register.mongo.transaction({}, async (session) => {
    const asset = await findOne(workspaceId, { _id: id, deleted: false }, session);
    if (asset === undefined) throw new Error(`${id} is gone`);
    const deleted = { ...asset, deletedAt: at, updatedAt: at, rev: asset.rev + 1 };
    await save(workspaceId, deleted, asset.rev, session);
  });
}

describe("4,000 assets", () => {
  let workspace: Workspace;
  let stored: Asset[];
  beforeAll(async () => {
    workspace = await seedWorkspace(register);
    stored = await store(workspace.id, 4_000, (index) => ({
      ...{ name: `Machine ${index % 7}`, categoryId: `cat_${index % 4}` },
      ...(index % 100 === 0 && { serialNumber: `rare-${index}` }),
    }));
  });

  test("pages by number and by cursor have the same rows, the total is exact", async () => {
    const third = await list(workspace, { page: { page: 20, limit: 200 } });
    expect(third.ids).toEqual(stored.slice(-200).map(({ id }) => id));
    expect(third.page).toMatchObject({ total: 4_000, page: 20 });
    expect(third.page?.totalIsExact).toBeUndefined();
    expect(third.page?.nextCursor).toBeUndefined();
    const rows = await readAll(workspace, {}, 900);
    expect(rows.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  });

  test("a filter and a search have exact totals, and their cursors lead to each row once", async () => {
    const inCategory = stored.filter(({ categoryId }) => categoryId === "cat_3").map(({ id }) => id);
    const found = await readAll(workspace, { categoryId: "cat_3" }, 300);
    expect(found.map(({ id }) => id)).toEqual(inCategory);
    expect((await list(workspace, { categoryId: "cat_3" })).page?.total).toBe(1_000);
    const rare = await readAll(workspace, { q: "RARE" }, 15);
    expect(rare.map(({ id }) => id)).toEqual(
      stored.filter(({ serialNumber }) => serialNumber).map(({ id }) => id),
    );
    expect((await list(workspace, { q: "rare-1 machine" })).page?.total).toBeGreaterThan(0);
  });

  test.each(["-id", "updated_at", "-updated_at", "name", "number"])(
    "sorted by %s, each row comes once, also with a filter",
    async (sort) => {
      const rows = await readAll(workspace, { categoryId: "cat_1", page: { sort } }, 300);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(1_000);
      const shown = rows.map(({ id, name, number, updatedAt }) => {
        const time = timestampDate(updatedAt!).toISOString();
        return { id, name, number, updated_at: time }[sort.replace("-", "")] ?? "";
      });
      const sorted = shown.toSorted();
      expect(shown).toEqual(sort.startsWith("-") ? sorted.reverse() : sorted);
    },
  );

  test("a cursor is refused with a page, another filter, sort or workspace", async () => {
    const { page } = await list(workspace, { categoryId: "cat_1", page: { limit: 5, sort: "name" } });
    const cursor = page?.nextCursor;
    const stranger = await seedWorkspace(register);
    const wrong: [Workspace, AssetListRequest][] = [
      [workspace, { categoryId: "cat_1", page: { cursor, page: 1 } }],
      [workspace, { categoryId: "cat_2", page: { cursor } }],
      [workspace, { page: { cursor } }],
      [workspace, { categoryId: "cat_1", q: "x", page: { cursor } }],
      [workspace, { categoryId: "cat_1", includeDeleted: true, page: { cursor } }],
      [workspace, { categoryId: "cat_1", page: { cursor, sort: "id" } }],
      [stranger, { categoryId: "cat_1", page: { cursor } }],
    ];
    for (const [where, request] of wrong) {
      expect((await failure(list(where, request)))?.violations).toMatchObject([{ field: "cursor" }]);
    }
    expect((await list(workspace, { categoryId: "cat_1", page: { cursor, limit: 5 } })).ids).toHaveLength(5);
    const tooFar = await failure(list(workspace, { page: { page: 1_002, limit: 100 } }));
    expect(tooFar?.violations).toMatchObject([{ field: "page", message: expect.stringContaining("cursor") }]);
  });
});

test("concurrent creations and deletions leave the total equal to the number of assets", async () => {
  const workspace = await seedWorkspace(register);
  const doomed = await Promise.all(Array.from({ length: 6 }, () => makeAsset(register, workspace)));
  await Promise.all([
    ...doomed.map((id) => remove(workspace.id, id)),
    ...Array.from({ length: 12 }, () => makeAsset(register, workspace)),
  ]);
  expect((await list(workspace, {})).page?.total).toBe(12);
  expect(await readAll(workspace, {})).toHaveLength(12);
});

test("a creation that fails in its transaction is not counted", async () => {
  const workspace = await seedWorkspace(register);
  const create = (number: string) => makeAsset(register, workspace, { number });
  const outcomes = await Promise.allSettled(["A-1", "a-1", "A-1"].map(create));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await list(workspace, {})).page?.total).toBe(1);
});

test("movements and checkouts are counted too, and sorted by -id", async () => {
  const workspace = await seedWorkspace(register);
  const people = [];
  for (const name of ["Ada", "Bob", "Eve"]) {
    people.push(await makeRecord(register, workspace, { kind: OrganisationKind.CUSTODIAN, name }));
  }
  const assetId = await makeAsset(register, workspace);
  for (const toCustodianId of people) {
    await register.custody.createMovement({ assetId, toCustodianId }, workspace.admin);
  }
  await register.custody.createCheckout({ assetId, issuedToType: 4, issuedToName: "X" }, workspace.admin);
  const page = { sort: "-id", limit: 2 };
  const { movements, page: info } = await register.custody.listMovements({ page }, workspace.admin);
  expect(movements.map(({ toCustodianId }) => toCustodianId)).toEqual([people[2], people[1]]);
  expect(info?.total).toBe(3);
  expect((await register.custody.listCheckouts({}, workspace.admin)).page?.total).toBe(1);
});

test("the cursor of overdue checkouts stays valid while time passes", async () => {
  const workspace = await seedWorkspace(register);
  for (let count = 0; count < 3; count += 1) {
    const assetId = await makeAsset(register, workspace);
    const due = { case: "dueAt", value: timestampFromDate(new Date(Date.now() + 3_600_000)) } as const;
    const issue = { assetId, issuedToType: 4, issuedToName: "X", due };
    await register.custody.createCheckout(issue, workspace.admin);
  }
  const ask = (cursor?: string) =>
    register.custody.listCheckouts({ overdue: false, page: { limit: 2, cursor } }, workspace.admin);
  const first = await ask();
  const second = await ask(first.page?.nextCursor);
  expect([first, second].map(({ checkouts }) => checkouts.length)).toEqual([2, 1]);
});
