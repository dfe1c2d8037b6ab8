import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CountService } from "@asset-register/proto/assetregister/register/v1/count_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { isId, newId } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, test } from "vitest";
import { forUser } from "../directory/directory-support.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

let assetId: string;
const register = await sharedRegister();
const home = await seedWorkspace(register);
const counts = register.client(CountService, "stocktake");
const propertyId = await makeRecord(register, home, { kind: OrganisationKind.PROPERTY, name: "Site" });
const room = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Room", propertyId });
const shelf = await makeRecord(register, home, {
  kind: OrganisationKind.LOCATION,
  name: "Shelf",
  parentId: room,
});
beforeEach(async () => {
  assetId = await makeAsset(register, home, { locationId: room });
});

/** The end of the time that the stock-take covers. */
let knownUntil: Timestamp;
const later = () => timestampFromDate(new Date(Date.now() + 60_000));
const confirmation = (fields: object = {}) => ({
  ...{ workspaceId: home.id, assetId, locationId: shelf, scannedAt: later() },
  ...{ sessionId: "sts_1", sessionName: "Spring", causeId: `${newId("var")}:2` },
  ...fields,
});
const loss = (fields: object = {}) => ({
  ...{ workspaceId: home.id, assetId, sessionId: "sts_1", causeId: `${newId("var")}:2` },
  ...{ note: "stock-take Spring", ...fields },
});
const seenBy = (sessionId: string) => ({ workspaceId: home.id, sessionId });
const issueExternally = () => {
  const issue = { assetId, issuedToType: IssuedToType.EXTERNAL, issuedToName: "Acme" };
  return register.custody.createCheckout(issue, home.admin);
};
const confirm = (request: ReturnType<typeof confirmation>) => counts.confirmCount(request, forUser(home));
const lose = (request: ReturnType<typeof loss>) => counts.markLost(request, forUser(home));

type Row = { _id: string; workspaceId: string; assetId: string } & Record<string, unknown>;
const rows = (collection: string, filter: object = {}, workspaceId = home.id) =>
  register.mongo
    .collection<Row>(collection)
    .find({ workspaceId, assetId, ...filter })
    .sort({ _id: 1 })
    .toArray();
const history = (...actions: string[]) => rows("asset_history", { action: { $in: actions } });
const present = async () => (await register.assets.getAsset({ id: assetId }, home.admin)).asset!;
const statusOf = async (key: string) => {
  const { statuses } = await register.assets.listStatuses({}, home.admin);
  return statuses.find((status) => status.key === key)!.id;
};
const dispose = async () => {
  const disposed = { at: new Date(), date: "2026-01-01", method: "sold", by: { kind: "user", id: "usr_1" } };
  await register.mongo
    .collection<Row>("assets")
    .updateOne({ _id: assetId, workspaceId: home.id }, { $set: { disposed, live: false } });
};

describe("ConfirmCount", () => {
  test("moves the asset at the time of the scan, for the auditor", async () => {
    const request = confirmation();
    const answer = await confirm(request);
    expect(answer).toMatchObject({ changed: true, assetRev: 2 });
    expect(await rows("movements")).toMatchObject([
      {
        ...{ _id: answer.movementId, reason: "stock-take", ref: "sts_1", causeId: request.causeId },
        ...{ fromLocationId: room, toLocationId: shelf, by: { kind: "user", id: "usr_auditor" } },
        at: new Date(Number(request.scannedAt.seconds) * 1000 + request.scannedAt.nanos / 1e6),
      },
    ]);
    expect(await present()).toMatchObject({ locationId: shelf, rev: 2 });
    expect(await history("moved")).toMatchObject([{ actor: { kind: "user", id: "usr_auditor" } }]);
  });

  test("of an asset that is there already writes only a row of the history", async () => {
    const request = confirmation({ locationId: room, restoreStatus: true });
    expect(await confirm(request)).toMatchObject({ changed: false, assetRev: 1 });
    expect(await rows("movements")).toEqual([]);
    expect(await history("counted")).toMatchObject([{ causeId: request.causeId }]);
    expect((await present()).rev).toBe(1);
    expect(await confirm(request)).toMatchObject({ changed: false, assetRev: 1 });
    expect(await history("counted")).toHaveLength(1);
  });

  test("of an asset that moved after the scan is ASSET_MOVED_SINCE, unless it is there already", async () => {
    const scannedAt = timestampFromDate(new Date(Date.now() - 3_600_000));
    await register.custody.createMovement({ assetId, toLocationId: shelf }, home.admin);
    expect(await codeOf(confirm(confirmation({ locationId: room, scannedAt })))).toBe("ASSET_MOVED_SINCE");
    expect(await confirm(confirmation({ locationId: shelf, scannedAt }))).toMatchObject({ changed: false });
    expect(await rows("movements")).toHaveLength(1);
  });

  test("restores the status before Lost, in its place or not; later statuses stay", async () => {
    const inUse = await statusOf("in_use");
    await register.mongo
      .collection<Row & { statusId: string }>("assets")
      .updateOne({ _id: assetId, workspaceId: home.id }, { $set: { statusId: inUse } });
    await lose(loss());
    await confirm(confirmation({ locationId: room }));
    expect((await present()).statusId).toBe(await statusOf("lost"));
    const answer = await confirm(confirmation({ locationId: room, restoreStatus: true }));
    expect(answer).toMatchObject({ changed: false, assetRev: 3 });
    expect(await present()).toMatchObject({ statusId: inUse, rev: 3 });

    await lose(loss());
    expect(await confirm(confirmation({ restoreStatus: true }))).toMatchObject({
      changed: true,
      assetRev: 5,
    });
    expect(await present()).toMatchObject({ statusId: inUse, locationId: shelf, rev: 5 });
    const notes = (await history("status")).map(({ note }) => note);
    expect(notes).toEqual([...Array(4)].map(() => "stock-take Spring"));
    expect(await confirm(confirmation({ locationId: room, restoreStatus: true }))).toMatchObject({
      changed: true,
    });
    expect((await present()).statusId).toBe(inUse);
  });

  test("restores the default status where the history has none before Lost", async () => {
    const statusId = await statusOf("lost");
    await register.mongo
      .collection<Row & { statusId: string }>("assets")
      .updateOne({ _id: assetId, workspaceId: home.id }, { $set: { statusId } });
    await confirm(confirmation({ restoreStatus: true }));
    expect((await present()).statusId).toBe(await statusOf("in_stock"));
  });

  test("of an asset that is checked out changes only the location", async () => {
    const custodian = await makeRecord(register, home, { kind: OrganisationKind.CUSTODIAN, name: "Eve" });
    const issue = { assetId, issuedToType: IssuedToType.CUSTODIAN, issuedToId: custodian };
    await register.custody.createCheckout(issue, home.admin);
    await confirm(confirmation());
    const { locationId, custodianId, currentCheckout } = await present();
    expect({ locationId, custodianId }).toEqual({ locationId: shelf, custodianId: custodian });
    expect(currentCheckout).toBeDefined();
  });
});

describe("a cause", () => {
  test("has one effect when equal calls come at once, and all get its answer", async () => {
    const moving = confirmation();
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm(moving)));
    expect(new Set(answers.map(({ movementId }) => movementId)).size).toBe(1);
    expect(await rows("movements")).toHaveLength(1);
    const staying = confirmation();
    await Promise.all(Array.from({ length: 6 }, () => confirm(staying)));
    expect(await history("counted")).toHaveLength(1);
    const losing = loss();
    const revs = await Promise.all(Array.from({ length: 6 }, () => lose(losing)));
    expect(new Set(revs.map(({ assetRev }) => assetRev))).toEqual(new Set([3]));
    expect(await history("status")).toHaveLength(1);
    expect((await present()).rev).toBe(3);
  });

  test("answers its first effect later too, whatever the asset has become", async () => {
    const moving = confirmation({ scannedAt: timestampFromDate(new Date()) });
    const losing = loss();
    const first = await confirm(moving);
    const lost = await lose(losing);
    await register.custody.createMovement({ assetId, toLocationId: room }, home.admin);
    await dispose();
    expect(await confirm(moving)).toEqual(first);
    expect(await lose(losing)).toEqual(lost);
    expect(await rows("movements")).toHaveLength(2);
    expect(await history("status")).toHaveLength(1);
  });

  test("of another workspace is another cause; for another asset it is refused", async () => {
    const request = loss();
    await lose(request);
    const own = await seedWorkspace(register);
    const theirs = await makeAsset(register, own);
    const foreign = { ...request, workspaceId: own.id, assetId: theirs };
    expect(await counts.markLost(foreign, forUser(own))).toMatchObject({ assetRev: 2 });
    const other = await makeAsset(register, home);
    expect(await failure(lose({ ...request, assetId: other }))).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: "cause_id" }],
    });
  });
});

describe("MarkLost", () => {
  test("sets the status Lost, also while the asset is checked out", async () => {
    await issueExternally();
    expect(await lose(loss())).toMatchObject({ assetRev: 3 });
    expect(await present()).toMatchObject({ statusId: await statusOf("lost"), rev: 3 });
    expect(await history("status")).toMatchObject([{ note: "stock-take Spring" }]);
  });

  test("of a lost asset writes only a row of the history", async () => {
    await lose(loss());
    const again = loss();
    expect(await lose(again)).toMatchObject({ assetRev: 2 });
    expect(await lose(again)).toMatchObject({ assetRev: 2 });
    expect(await history("counted")).toMatchObject([{ causeId: again.causeId }]);
    expect((await present()).rev).toBe(2);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["moved", () => register.custody.createMovement({ assetId, toLocationId: shelf }, home.admin)],
    [
      "moved by a stock-take, at the time of an earlier scan",
      () => confirm(confirmation({ scannedAt: timestampFromDate(new Date(Date.now() - 3_600_000)) })),
    ],
    ["issued", () => issueExternally()],
    [
      "returned",
      async () => {
        const { checkout } = await issueExternally();
        knownUntil = checkout!.issuedAt!;
        await register.custody.returnCheckout(
          { target: { case: "checkoutId", value: checkout!.id } },
          home.admin,
        );
      },
    ],
    ["found where it is by a stock-take", () => confirm(confirmation({ locationId: room }))],
    [
      "counted by a stock-take that was closed",
      () => counts.markCounted({ ...seenBy("sts_2"), closedAt: later(), assetIds: [assetId] }, forUser(home)),
    ],
  ])(
    "of an asset that was %s after seen_until is ASSET_MOVED_SINCE, and changes nothing",
    async (_, happen) => {
      knownUntil = (await present()).createdAt!;
      await happen();
      const before = [await present(), await history("status", "counted")];
      expect(await codeOf(lose(loss({ seenUntil: knownUntil })))).toBe("ASSET_MOVED_SINCE");
      expect([await present(), await history("status", "counted")]).toEqual(before);
      expect(await codeOf(lose(loss({ seenUntil: later() })))).toBeUndefined();
      expect((await present()).statusId).toBe(await statusOf("lost"));
    },
  );

  test("of an asset that was only edited after seen_until sets Lost; its repeat answers the same after a movement", async () => {
    const seenUntil = (await present()).createdAt;
    await register.assets.updateAsset(
      { asset: { id: assetId, name: "Saw" }, updateMask: { paths: ["name"] } },
      home.admin,
    );
    const losing = loss({ seenUntil });
    expect(await lose(losing)).toMatchObject({ assetRev: 3 });
    await register.custody.createMovement({ assetId, toLocationId: shelf }, home.admin);
    expect(await lose(losing)).toMatchObject({ assetRev: 3 });
  });
});

test("a disposed asset refuses both, and stays as it is", async () => {
  await dispose();
  for (const locationId of [room, shelf]) {
    expect(await codeOf(confirm(confirmation({ locationId })))).toBe("ASSET_DISPOSED");
  }
  expect(await codeOf(lose(loss()))).toBe("ASSET_DISPOSED");
  expect(await rows("movements")).toEqual([]);
  expect(await history("status", "counted", "moved")).toEqual([]);
});

test("records of another workspace do not exist", async () => {
  const own = await seedWorkspace(register);
  const theirs = await makeAsset(register, own);
  const place = await makeRecord(register, own, { kind: OrganisationKind.PROPERTY, name: "P" });
  const missing = (field: string) => ({ code: "NOT_FOUND", violations: [{ field }] });
  expect(await failure(confirm(confirmation({ assetId: theirs })))).toMatchObject(missing("asset_id"));
  expect(await failure(lose(loss({ assetId: theirs })))).toMatchObject(missing("asset_id"));
  expect(await failure(confirm(confirmation({ locationId: place })))).toMatchObject(missing("location_id"));
});

describe("MarkCounted", () => {
  const closed = new Date("2026-11-20T10:00:00.000Z");
  const mark = (closedAt: Date, assetIds: string[], sessionId = "sts_1") =>
    counts.markCounted(
      { workspaceId: home.id, sessionId, closedAt: timestampFromDate(closedAt), assetIds },
      forUser(home),
    );
  const audited = async () => {
    const { lastAuditedAt, rev, updatedAt } = await present();
    return { at: lastAuditedAt && new Date(Number(lastAuditedAt.seconds) * 1000), rev, updatedAt };
  };

  test("sets last_audited_at and adds one row of the history; a repeat changes nothing", async () => {
    const { updatedAt } = await present();
    const own = await seedWorkspace(register);
    const theirs = await makeAsset(register, own);
    const ids = [assetId, assetId, theirs, "ast_unknown"];
    await Promise.all([mark(closed, ids), mark(closed, ids)]);
    const counted = await history("counted");
    expect(counted).toMatchObject([{ at: closed, actor: { kind: "user", id: "usr_auditor" } }]);
    expect(isId("his", counted[0]!._id)).toBe(true);
    await mark(closed, [assetId]);
    expect(await history("counted")).toEqual(counted);
    expect(await audited()).toEqual({ at: closed, rev: 1, updatedAt });
    expect((await register.assets.getAsset({ id: theirs }, own.admin)).asset?.lastAuditedAt).toBeUndefined();
  });

  test("of an older session keeps the newer last_audited_at, and adds its row", async () => {
    await mark(closed, [assetId]);
    await mark(new Date(closed.getTime() - 1000), [assetId], "sts_0");
    expect((await audited()).at).toEqual(closed);
    expect(await history("counted")).toHaveLength(2);
  });

  test("takes 1000 assets at once, and no more", async () => {
    const ids = Array.from({ length: 1_001 }, () => newId("ast"));
    expect(await codeOf(mark(closed, ids))).toBe("VALIDATION_FAILED");
    expect(await codeOf(mark(closed, ids.slice(1)))).toBeUndefined();
  });
});

test("the effects are events like those of people, and the directory shows them", async () => {
  const directory = register.client(AssetDirectoryService, "stocktake");
  const { movementId } = await confirm(confirmation());
  await lose(loss());
  const { assets } = await directory.resolveAssets({ workspaceId: home.id, assetIds: [assetId] });
  expect(assets).toMatchObject([{ statusKey: "lost", lastMovement: { id: movementId } }]);
  expect(await codeOf(register.client(CountService, "finance").markLost(loss()))).toBe("FORBIDDEN");
});
