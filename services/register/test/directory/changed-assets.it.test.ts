import { failure } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { assetRecords } from "../../src/store/assets/asset-records.ts";
import {
  type AssetListRequest,
  makeAsset,
  seedWorkspace,
  sharedRegister,
  type Workspace,
} from "../support.ts";

let home: Workspace;
// The register's own clock differs by a part of a round trip to the database, which a busy machine makes long.
const register = await sharedRegister();

async function list(request: AssetListRequest) {
  const { assets, page, nextUpdatedSince } = await register.assets.listAssets(request, home.admin);
  const next = nextUpdatedSince && timestampDate(nextUpdatedSince);
  return { assets, ids: assets.map(({ id }) => id), cursor: page?.nextCursor, total: page?.total, next };
}

/** Three assets that changed at 1, 2 and 3 s. */
async function seed(): Promise<string[]> {
  home = await seedWorkspace(register);
  const ids = [];
  for (const second of [1, 2, 3]) {
    const id = await makeAsset(register, home);
    await change(id, { updatedAt: new Date(second * 1000) });
    ids.push(id);
  }
  return ids;
}

async function change(id: string, fields: { updatedAt: Date; deletedAt?: Date }) {
  const { findOne, save } = assetRecords.store(register.mongo);
  await register.mongo.transaction({}, async (session) => {
    const asset = (await findOne(home.id, { _id: id }, session))!;
    await save(home.id, { ...asset, ...fields, rev: asset.rev + 1 }, asset.rev, session);
  });
}

const since = (milliseconds: number) => timestampFromDate(new Date(milliseconds));

test("updated_since has the assets that changed then or later, in the order of their changes", async () => {
  const [one = "", two = "", three = ""] = await seed();
  expect((await list({ updatedSince: since(2000) })).ids).toEqual([two, three]);
  await change(one, { updatedAt: new Date(9000) });
  expect((await list({ updatedSince: since(2000), page: { sort: "updated_at" } })).ids).toEqual([
    two,
    three,
    one,
  ]);
  expect(await list({ updatedSince: since(2001), statusId: "sta_other" })).toMatchObject({
    ids: [],
    total: 0,
  });
  for (const sort of ["id", "-updated_at", "name"]) {
    const error = await failure(list({ updatedSince: since(0), page: { sort } }));
    expect(error?.violations).toMatchObject([{ field: "sort" }]);
  }
});

test("next_updated_since is 60 s before the first page's read, and the same on the pages of its cursors", async () => {
  await seed();
  const before = Date.now();
  const first = await list({ updatedSince: since(0), page: { limit: 1 } });
  const after = Date.now();
  const next = first.next?.getTime() ?? 0;
  expect(next).toBeGreaterThanOrEqual(before - 60_000);
  expect(next).toBeLessThanOrEqual(after - 60_000);
  const second = await list({ updatedSince: since(0), page: { limit: 1, cursor: first.cursor } });
  const third = await list({ updatedSince: since(0), page: { limit: 1, cursor: second.cursor } });
  expect([second.next, third.next]).toEqual([first.next, first.next]);
  expect(third.cursor).toBeUndefined();
  // A later page by number cannot know when the first one was read.
  expect((await list({ updatedSince: since(0), page: { page: 2, limit: 1 } })).next).toBeUndefined();
  expect((await list({})).next).toBeUndefined();
});

test("an asset that changes while the pages are read is seen on a later page or by the next reading", async () => {
  const [one = "", , three = ""] = await seed();
  const first = await list({ updatedSince: since(0), page: { limit: 1 } });
  await change(three, { updatedAt: new Date() });
  await change(one, { updatedAt: new Date() });
  const rest = await list({ updatedSince: since(0), page: { cursor: first.cursor } });
  expect(rest.ids).toContain(three);
  const next = await list({ updatedSince: timestampFromDate(first.next!) });
  expect(next.ids).toEqual(expect.arrayContaining([one, three]));
});

test("include_deleted adds deleted assets, with and without updated_since", async () => {
  const [one = "", two = "", three = ""] = await seed();
  await change(two, { updatedAt: new Date(8000), deletedAt: new Date(8000) });
  expect(await list({})).toMatchObject({ ids: [one, three], total: 2 });
  const all = await list({ includeDeleted: true });
  expect(all).toMatchObject({ ids: [one, two, three], total: 3 });
  expect(all.assets.map(({ deletedAt }) => deletedAt && timestampDate(deletedAt).getTime())).toEqual([
    undefined,
    8000,
    undefined,
  ]);
  expect((await list({ includeDeleted: true, updatedSince: since(3000) })).ids).toEqual([three, two]);
  expect((await list({ updatedSince: since(3000) })).ids).toEqual([three]);
});
