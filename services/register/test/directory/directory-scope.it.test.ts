import {
  AssetDirectoryService,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { StatusClass } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";
import { allPages, copyAssets } from "./directory-support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const directory = register.client(AssetDirectoryService, "stocktake");

type Request = Parameters<typeof directory.listScope>[0];
const pagesOf = (request: Request, workspaceId = home.id) =>
  allPages(
    (afterId: string | undefined) =>
      directory.listScope({ workspaceId, ...request, ...(afterId !== undefined && { afterId }) }),
    ({ nextAfterId }) => nextAfterId,
  );
const idsOf = async (request: Request, workspaceId = home.id) =>
  (await pagesOf(request, workspaceId)).flatMap(({ assets }) => assets.map(({ id }) => id));

describe("a scope", () => {
  test("of each type has the assets of its record and of those below it", async () => {
    const own = await seedWorkspace(register);
    const record = (kind: OrganisationKind, fields: object = {}) =>
      makeRecord(register, own, { kind, name: "Record", ...fields });
    const propertyId = await record(OrganisationKind.PROPERTY);
    const buildingId = await record(OrganisationKind.BUILDING, { propertyId });
    const floorId = await record(OrganisationKind.FLOOR, { buildingId });
    const room = await record(OrganisationKind.LOCATION, { floorId });
    const shelf = await record(OrganisationKind.LOCATION, { parentId: room });
    const tools = await record(OrganisationKind.CATEGORY);
    const saws = await record(OrganisationKind.CATEGORY, { parentId: tools });
    const works = await record(OrganisationKind.DEPARTMENT);
    const shop = await record(OrganisationKind.DEPARTMENT, { parentId: works });
    const onShelf = await makeAsset(register, own, { name: "Saw", locationId: shelf, categoryId: saws });
    const inRoom = await makeAsset(register, own, { locationId: room, departmentId: shop });
    const nowhere = await makeAsset(register, own, { categoryId: tools });

    const expected: [ScopeType, string | undefined, string[]][] = [
      [ScopeType.ALL, undefined, [onShelf, inRoom, nowhere]],
      [ScopeType.PROPERTY, propertyId, [onShelf, inRoom]],
      [ScopeType.BUILDING, buildingId, [onShelf, inRoom]],
      [ScopeType.FLOOR, floorId, [onShelf, inRoom]],
      [ScopeType.LOCATION, room, [onShelf, inRoom]],
      [ScopeType.LOCATION, shelf, [onShelf]],
      [ScopeType.CATEGORY, tools, [onShelf, nowhere]],
      [ScopeType.CATEGORY, saws, [onShelf]],
      [ScopeType.DEPARTMENT, works, [inRoom]],
    ];
    for (const [scopeType, scopeId, ids] of expected) {
      const request = { scopeType, ...(scopeId !== undefined && { scopeId }) };
      const [page] = await pagesOf(request, own.id);
      expect(page?.assets.map(({ id }) => id)).toEqual(ids);
      expect(page?.total).toBe(ids.length);
    }
    const [page] = await pagesOf({ scopeType: ScopeType.LOCATION, scopeId: shelf }, own.id);
    expect(page?.assets).toMatchObject([
      {
        ...{ name: "Saw", propertyId, buildingId, floorId, locationId: shelf, categoryId: saws },
        ...{ statusKey: "in_stock", statusClass: StatusClass.DEPLOYABLE },
      },
    ]);
  });

  test("leaves out deleted and disposed assets, and for a count also lost and pending ones", async () => {
    const own = await seedWorkspace(register);
    const { statuses } = await register.assets.listStatuses({}, own.admin);
    const status = (key: string) => ({ statusId: statuses.find((one) => one.key === key)!.id });
    const first = await makeAsset(register, own);
    const [retired, lost, ordered] = await copyAssets(register, own, first, [
      status("retired"),
      status("lost"),
      status("ordered"),
      { live: false, deleted: true, deletedAt: new Date() },
      { live: false, disposed: { at: new Date(), date: "2026-01-01", method: "sold", by: {} } },
    ]);
    expect(await idsOf({ scopeType: ScopeType.ALL }, own.id)).toEqual([first, retired, lost, ordered]);
    const [page] = await pagesOf({ scopeType: ScopeType.ALL, toCount: true }, own.id);
    expect(page?.assets.map(({ id }) => id)).toEqual([first, retired]);
    expect(page?.total).toBe(2);
  });

  test("has pages in order of id; only the first one has the total", async () => {
    const own = await seedWorkspace(register);
    const first = await makeAsset(register, own);
    await copyAssets(
      register,
      own,
      first,
      Array.from({ length: 24 }, () => ({})),
    );
    const pages = await pagesOf({ scopeType: ScopeType.ALL, limit: 10 }, own.id);
    expect(pages.map(({ assets }) => assets.length)).toEqual([10, 10, 5]);
    expect(pages.map(({ total }) => total)).toEqual([25, undefined, undefined]);
    const ids = pages.flatMap(({ assets }) => assets.map(({ id }) => id));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test("that names no record of its kind in the workspace is NOT_FOUND on scope_id", async () => {
    const foreign = await seedWorkspace(register);
    const theirs = await makeRecord(register, foreign, { kind: OrganisationKind.CATEGORY, name: "Theirs" });
    const mine = await makeRecord(register, home, { kind: OrganisationKind.DEPARTMENT, name: "Mine" });
    for (const scopeId of [theirs, mine, newId("cat")]) {
      const scope = { workspaceId: home.id, scopeType: ScopeType.CATEGORY, scopeId };
      expect(await failure(directory.listScope(scope))).toMatchObject({
        code: "NOT_FOUND",
        violations: [{ field: "scope_id" }],
      });
    }
  });

  test("must be complete, and a page has at most 1000 assets", async () => {
    const workspaceId = home.id;
    const wrong: [Request, string][] = [
      [{ workspaceId }, "scope_type"],
      [{ workspaceId, scopeType: ScopeType.PROPERTY }, "scope_id"],
      [{ workspaceId, scopeType: ScopeType.ALL, scopeId: "prp_1" }, "scope_id"],
      [{ workspaceId, scopeType: ScopeType.ALL, limit: 1001 }, "limit"],
      [{ scopeType: ScopeType.ALL }, "workspace_id"],
    ];
    for (const [request, field] of wrong) {
      expect(await failure(directory.listScope(request))).toMatchObject({
        code: "VALIDATION_FAILED",
        violations: [{ field }],
      });
    }
  });
});

describe("a wide scope", () => {
  /** Children of a category, as raw documents: there are many. */
  async function addChildren(parentId: string, count: number): Promise<string[]> {
    const records = register.mongo.collection<{ _id: string; workspaceId: string }>("organisation");
    const parent = await records.findOne({ _id: parentId, workspaceId: home.id });
    const ids = Array.from({ length: count }, () => newId("cat"));
    await records.insertMany(ids.map((_id) => ({ ...parent!, parentId, _id })));
    return ids;
  }

  test("of 5000 records is read in order; one record more is TREE_TOO_LARGE", async () => {
    const root = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "Root" });
    const below = await addChildren(root, 4_999);
    const first = await makeAsset(register, home, { categoryId: root });
    const ids = await copyAssets(
      register,
      home,
      first,
      Array.from({ length: 2_500 }, (_, index) => ({ categoryId: below[(index * 7919) % below.length] })),
    );
    const scope = { scopeType: ScopeType.CATEGORY, scopeId: root };
    const pages = await pagesOf(scope);
    expect(pages.flatMap(({ assets }) => assets.map(({ id }) => id))).toEqual([first, ...ids]);
    expect(pages[0]?.total).toBe(2_501);

    await addChildren(below[0]!, 1);
    expect(await codeOf(directory.listScope({ workspaceId: home.id, ...scope }))).toBe("TREE_TOO_LARGE");
  });

  test("assets that move inside it while it is paged are neither missed nor repeated", async () => {
    const root = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "Moving" });
    // Three groups of index ranges.
    const below = await addChildren(root, 600);
    const first = await makeAsset(register, home, { categoryId: root });
    const ids = await copyAssets(
      register,
      home,
      first,
      Array.from({ length: 300 }, (_, index) => ({ categoryId: below[(index * 2) % 600] })),
    );
    const assets = register.mongo.collection<{ _id: string; workspaceId: string; categoryId: string }>(
      "assets",
    );
    let paging = true;
    const moving = (async () => {
      for (let round = 0; paging; round += 1) {
        await assets.bulkWrite(
          ids.map((_id, index) => ({
            updateOne: {
              filter: { _id, workspaceId: home.id },
              update: { $set: { categoryId: below[(index * 31 + round * 197) % 600]! } },
            },
          })),
          { ordered: false },
        );
      }
    })();
    try {
      for (let round = 0; round < 3; round += 1) {
        const scope = { scopeType: ScopeType.CATEGORY, scopeId: root, limit: 30 };
        expect(await idsOf(scope)).toEqual([first, ...ids]);
      }
    } finally {
      paging = false;
      await moving;
    }
  });
});

test("only the services of the design may call", async () => {
  const workspaceId = home.id;
  const allowed = {
    resolveAssets: ["stocktake", "maintenance", "finance", "notification"],
    listScope: ["stocktake", "maintenance"],
    listPositions: ["stocktake", "notification"],
    listChangedAssets: ["finance"],
    listLastSeen: ["notification"],
    resolveStatuses: ["notification"],
  } as const;
  for (const [method, services] of Object.entries(allowed)) {
    for (const service of ["tagging-ingest", "stocktake", "maintenance", "finance", "notification"]) {
      const client = register.client(AssetDirectoryService, service);
      const code = await codeOf(client[method as keyof typeof allowed]({ workspaceId }));
      if ((services as readonly string[]).includes(service)) expect(code).not.toBe("FORBIDDEN");
      else expect(code).toBe("FORBIDDEN");
    }
  }
});
