import {
  AssetDirectoryService,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";
import { allPages, copyAssets } from "./directory-support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);
const as = (service: string) => register.client(AssetDirectoryService, service);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const stamp = (minute: number) => timestampFromDate(at(minute));

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;
const by = { kind: "user", id: "usr_1" };
const addMovements = async (assetId: string, minutes: number[]) => {
  const rows = minutes.map((minute, index) => ({
    ...{ _id: newId("mov"), workspaceId: home.id, assetId, reason: "movement", note: "n", by },
    ...{
      fromLocationId: `loc_${index}`,
      toLocationId: `loc_${index + 1}`,
      at: at(minute),
      sequence: index + 1,
    },
  }));
  await register.mongo.collection<Row>("movements").insertMany(rows);
};
const minutesOf = (rows: { at?: Parameters<typeof timestampDate>[0] }[]) =>
  rows.map(({ at: time }) => (timestampDate(time!).getTime() - at(0).getTime()) / 60_000);

describe("ListPositions", () => {
  test("has the movements of the time, with the one before and the one after it", async () => {
    const ids = [await makeAsset(register, home), await makeAsset(register, home)];
    await addMovements(ids[0]!, [1, 2, 3, 4, 5, 6]);
    const request = {
      workspaceId: home.id,
      assetIds: [...ids, "ast_unknown"],
      since: stamp(3),
      until: stamp(4),
    };
    const { assets, nextAssetId } = await as("stocktake").listPositions(request);
    expect(assets.map(({ asset }) => asset?.id)).toEqual(ids);
    expect(minutesOf(assets[0]!.movements)).toEqual([2, 3, 4, 5]);
    expect(assets[0]!.movements.every(({ note }) => note === undefined)).toBe(true);
    expect(assets[1]).toMatchObject({ movements: [], checkouts: [], statusKey: "in_stock" });
    // Of the asset only what a stock-take needs.
    expect(assets[1]?.asset).toMatchObject({ number: expect.any(String), name: expect.any(String), rev: 0 });
    expect([nextAssetId, assets[0]!.inScope]).toEqual([undefined, undefined]);
  });

  test("has the checkouts that overlap the time", async () => {
    const assetId = await makeAsset(register, home);
    const checkout = (issued: number, returned?: number) => ({
      ...{ _id: newId("chk"), workspaceId: home.id, assetId, issuedToType: "external", issuedBy: by, rev: 1 },
      ...{ returnedLate: false, needsInspection: false, setCustodian: false, issuedAt: at(issued) },
      ...(returned === undefined ? { status: "open" } : { status: "returned", returnedAt: at(returned) }),
    });
    const rows = [checkout(1, 2), checkout(2, 3), checkout(4, 5), checkout(6, 9), checkout(9)];
    await register.mongo.collection<Row>("checkouts").insertMany(rows);
    const found = async (since: number, until: number) => {
      const request = { workspaceId: home.id, assetIds: [assetId], since: stamp(since), until: stamp(until) };
      const { assets } = await as("notification").listPositions(request);
      return assets[0]!.checkouts.map(({ id }) => rows.findIndex(({ _id }) => _id === id));
    };
    expect(await found(3, 4)).toEqual([1, 2]);
    expect(await found(7, 8)).toEqual([3]);
    expect(await found(10, 11)).toEqual([4]);
  });

  test("says whether assets are in a scope, also when its record is deleted", async () => {
    const category = await makeRecord(register, home, { kind: OrganisationKind.CATEGORY, name: "C" });
    const inside = await makeAsset(register, home, { categoryId: category });
    const [disposed] = await copyAssets(register, home, inside, [
      { live: false, disposed: { at: new Date(), date: "2026-01-01", method: "sold", by } },
    ]);
    const outside = await makeAsset(register, home);
    const assetIds = [inside, disposed!, outside];
    const scope = { scopeType: ScopeType.CATEGORY, scopeId: category };
    const request = { workspaceId: home.id, assetIds, since: stamp(0), until: stamp(1), ...scope };
    const inScope = async () => {
      const { assets } = await as("stocktake").listPositions(request);
      return assetIds.map((id) => assets.find(({ asset }) => asset?.id === id)?.inScope);
    };
    expect(await inScope()).toEqual([true, false, false]);
    await register.mongo
      .collection<Row>("organisation")
      .updateOne({ _id: category, workspaceId: home.id }, { $set: { deleted: true, deletedAt: new Date() } });
    expect(await inScope()).toEqual([true, false, false]);
  });

  test("has at most 10,000 rows, unless an asset alone has more", async () => {
    const ids = [
      await makeAsset(register, home),
      await makeAsset(register, home),
      await makeAsset(register, home),
    ];
    const minutes = (count: number) => Array.from({ length: count }, (_, index) => index + 10);
    await addMovements(ids[0]!, minutes(6_000));
    await addMovements(ids[1]!, minutes(6_000));
    await addMovements(ids[2]!, minutes(10_500));
    const request = { workspaceId: home.id, since: stamp(10), until: stamp(20_000) };
    const pages = await allPages(
      (from: string | undefined) =>
        as("stocktake").listPositions({ ...request, assetIds: ids.filter((id) => id >= (from ?? "")) }),
      ({ nextAssetId }) => nextAssetId,
    );
    const sizes = pages.map(({ assets }) => assets.map(({ movements }) => movements.length));
    expect(sizes).toEqual([[6_000], [6_000], [10_500]]);
  });

  test("refuses a time that ends before it begins, and more than 1000 assets", async () => {
    const request = { workspaceId: home.id, assetIds: ["ast_1"], since: stamp(2), until: stamp(1) };
    const fails = (fields: object) => failure(as("stocktake").listPositions({ ...request, ...fields }));
    expect(await fails({})).toMatchObject({ violations: [{ field: "until" }] });
    const assetIds = Array.from({ length: 1_001 }, (_, index) => `ast_${index}`);
    expect(await fails({ until: stamp(3), assetIds })).toMatchObject({
      violations: [{ field: "asset_ids" }],
    });
    expect(await codeOf(as("finance").resolveAssets({ workspaceId: home.id, assetIds }))).toBe(
      "VALIDATION_FAILED",
    );
  });
});

test("ResolveAssets has deleted and disposed assets, and leaves out unknown and foreign ones", async () => {
  const first = await makeAsset(register, home, { description: "long" });
  await register.custody.createCheckout(
    { assetId: first, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" },
    home.admin,
  );
  const [deleted] = await copyAssets(register, home, first, [
    { live: false, deleted: true, deletedAt: new Date() },
  ]);
  const theirs = await makeAsset(register, await seedWorkspace(register));
  const assetIds = [deleted!, theirs, first, "ast_unknown", first];
  const { assets } = await as("maintenance").resolveAssets({ workspaceId: home.id, assetIds });
  expect(assets.map(({ asset }) => asset?.id)).toEqual([first, deleted]);
  expect(assets[0]).toMatchObject({
    statusKey: "in_stock",
    asset: { currentCheckout: { issuedToName: "Acme" } },
  });
  expect(assets[0]?.asset?.description).toBeUndefined();
  expect(assets[1]?.asset?.deletedAt).toBeDefined();
});

describe("ListChangedAssets", () => {
  test("has every asset once in order of change, deleted ones too, also many of one instant", async () => {
    const own = await seedWorkspace(register);
    const first = await makeAsset(register, own);
    const times = Array.from({ length: 60 }, (_, index) => ({
      updatedAt: at(Math.floor(index / 25)),
      ...(index % 7 === 0 && { deleted: true, live: false, deletedAt: at(1) }),
    }));
    const ids = await copyAssets(register, own, first, times);
    const read = (since?: Date) =>
      allPages(
        (cursor: string | undefined) =>
          as("finance").listChangedAssets({
            ...{ workspaceId: own.id, limit: 10 },
            ...(since && { since: timestampFromDate(since) }),
            ...(cursor !== undefined && { cursor }),
          }),
        ({ nextCursor }) => nextCursor,
      );
    const idsOf = (pages: Awaited<ReturnType<typeof read>>) =>
      pages.flatMap(({ assets }) => assets.map(({ asset }) => asset?.id));
    const before = Date.now();
    const pages = await read();
    expect(idsOf(pages)).toEqual([...ids, first]);
    expect(pages.slice(0, -1).every(({ nextSince }) => nextSince === undefined)).toBe(true);
    const next = timestampDate(pages.at(-1)!.nextSince!);
    expect(Math.abs(next.getTime() - (before - 60_000))).toBeLessThan(30_000);
    expect(idsOf(await read(at(2)))).toEqual([...ids.slice(50), first]);
    expect(idsOf(await read(next))).toEqual([first]);
    const wrong = { workspaceId: own.id, cursor: "x" };
    expect(await failure(as("finance").listChangedAssets(wrong))).toMatchObject({
      violations: [{ field: "cursor" }],
    });
  });
});

test("ListLastSeen has the live assets that were seen, in order of id", async () => {
  const own = await seedWorkspace(register);
  const first = await makeAsset(register, own);
  const lastSeen = { at: at(1), readerId: "rdr_1", zoneId: "zon_1" };
  const seen = await copyAssets(register, own, first, [{ lastSeen }, { lastSeen }, { lastSeen }]);
  await copyAssets(register, own, first, [{}, { lastSeen, live: false, deleted: true, deletedAt: at(2) }]);
  const pages = await allPages(
    (afterId: string | undefined) =>
      as("notification").listLastSeen({
        workspaceId: own.id,
        limit: 2,
        ...(afterId !== undefined && { afterId }),
      }),
    ({ nextAfterId }) => nextAfterId,
  );
  expect(pages.map(({ assets }) => assets.map(({ assetId }) => assetId))).toEqual([
    seen.slice(0, 2),
    seen.slice(2),
  ]);
  expect(pages[0]?.assets[0]?.lastSeen).toMatchObject({ readerId: "rdr_1", zoneId: "zon_1", at: stamp(1) });
});
