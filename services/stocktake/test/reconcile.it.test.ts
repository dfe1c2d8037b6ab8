import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceReason } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { conflict, newId, unavailable } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { inShort, newCount, Resolution, VarianceKind } from "./counting.ts";
import { newWorkspace, sharedStocktake } from "./support.ts";

const stocktake = await sharedStocktake();
const { register, tagging, mongo, reports, sessions } = stocktake;
afterEach(() => {
  register.assets.before(async () => undefined);
  tagging.onResolve(async () => undefined);
});

const tooLarge = () =>
  conflict("TREE_TOO_LARGE", "More than 5000 records are in the scope.", [
    { field: "scope_id", message: "has too many" },
  ]);
/** Fails the page of the last phase, which asks for the assets of codes that are gone. */
const failTheLastPhase = () =>
  register.assets.before(async ({ method }) => {
    if (method === "resolveAssets") throw tooLarge();
  });

test("4 expected, 3 scanned, 2 in place: coverage 0.75 and accuracy 0.5, and a row for each subject", async () => {
  const { scan, reconcile, of, assetIds, room, attic, sessionId, auditor } = await newCount(stocktake, 4);
  await scan(room, "T0", "T1");
  await scan(attic, "T2", "nobody's");
  expect(await reconcile()).toMatchObject({
    ...{ status: SessionStatus.RECONCILED, expected: 4, excluded: 0, scans: 4, tagsScanned: 4 },
    ...{ coverage: 0.75, accuracy: 0.5, unresolved: 3, unexpectedInPlace: 0, stale: false, reconciledSeq: 2 },
  });
  const rows = await Promise.all([...assetIds, "nobody's"].map(of));
  expect(rows.map(inShort)).toEqual([
    ...["found resolved", "found resolved", "misplaced unresolved", "missing unresolved"],
    "unregistered unresolved",
  ]);
  expect(rows[2]).toMatchObject({ expectedLocationId: room, effectiveLocationId: attic, rev: 1 });
  const expected = await sessions.listExpectedAssets({ sessionId }, auditor);
  expect(expected.assets.map(({ scanned }) => scanned)).toEqual([true, true, true, false]);
});

test("reconciling again without new input changes nothing; a scan makes the session stale and opens what it changes", async () => {
  const { scan, reconcile, list, of, resolve, read, close, assetIds, room, attic } = await newCount(
    stocktake,
    2,
  );
  await scan(room, "T0", "X");
  const first = await reconcile();
  const rows = await list();
  const { rev: _, reconciledAt: __, ...figures } = first;
  expect(await reconcile()).toMatchObject(figures);
  expect(await list()).toEqual(rows);
  const missing = await of(assetIds[1]);
  await resolve(missing.id, Resolution.IGNORED);
  await scan(attic, "T1");
  expect(await read()).toMatchObject({ stale: true, unresolved: 1 });
  expect(await codeOf(close())).toBe("STOCKTAKE_STALE");
  await reconcile();
  const changed = await of(assetIds[1]);
  expect([changed.id, changed.rev, inShort(changed)]).toEqual([
    ...[missing.id, missing.rev + 3, "misplaced unresolved"],
  ]);
});

test("all texts of one tag are one variance, and the asset of a tag is found by each of them", async () => {
  const { scan, reconcile, list, of, workspaceId, assetIds, room, attic } = await newCount(stocktake, 1);
  const [hex, uri] = ["303435FC8803D056D15B963F", "urn:epc:id:sgtin:0614141.812345.6789"];
  tagging.setTag(workspaceId, [hex, uri]);
  tagging.setTag(workspaceId, ["A0B1C2D3"], assetIds[0]);
  await scan(room, { epc: hex, method: "rfid" }, { epc: uri, method: "rfid" }, hex);
  await scan(attic, { epc: uri, method: "rfid" });
  // The hex of a bound EPC, sent as a code.
  await scan(room, "A0B1C2D3");
  expect(await reconcile()).toMatchObject({ tagsScanned: 2, unresolved: 1, coverage: 1 });
  expect((await list()).map(inShort).sort()).toEqual(["found resolved", "unregistered unresolved"]);
  expect(await of(uri)).toMatchObject({ kind: VarianceKind.UNREGISTERED, effectiveLocationId: attic });
});

test("a tag with more texts than a page has is one variance", async () => {
  const { scan, reconcile, list, workspaceId, room } = await newCount(stocktake, 1);
  const texts = Array.from({ length: 1_200 }, (_, index) => `${index}`.padStart(4, "0"));
  tagging.setTag(workspaceId, texts);
  await scan(room, "AA", ...texts.slice(0, 600), "T0");
  await scan(room, ...texts.slice(600), "ZZ");
  expect(await reconcile()).toMatchObject({ tagsScanned: 4, unresolved: 3 });
  expect((await list({ kind: VarianceKind.UNREGISTERED })).length).toBe(3);
});

test("a device whose clock is ahead has scanned when its scan arrived", async () => {
  const { scan, reconcile, of, workspaceId, assetIds, attic } = await newCount(stocktake, 1);
  await scan(attic, { code: "T0", scannedAt: new Date(Date.now() + 4 * 60_000).toISOString() });
  const [stored] = await mongo
    .collection<{ _id: string; workspaceId: string; receivedAt: Date }>("scans")
    .find({ workspaceId })
    .toArray();
  expect(stored).toBeDefined();
  await reconcile();
  const { lastScannedAt } = await of(assetIds[0]);
  expect(lastScannedAt && timestampDate(lastScannedAt)).toEqual(stored?.receivedAt);
});

test("a first reconcile that fails in its last phase leaves no results, and the session is open", async () => {
  const { scan, reconcile, list, workspaceId, sessionId, auditor, room, assetIds } = await newCount(
    stocktake,
    2,
  );
  register.assets.set(workspaceId, { id: assetIds[1] ?? "", deletedAt: new Date() });
  await scan(room, "T0", "T1");
  failTheLastPhase();
  expect(await reconcile()).toMatchObject({
    ...{ status: SessionStatus.OPEN, unresolved: 0, error: { code: "TREE_TOO_LARGE" } },
  });
  expect(await list()).toEqual([]);
  const { rows } = await reports.getVarianceReport({ sessionId, kind: VarianceKind.FOUND }, auditor);
  expect(rows).toEqual([]);
  const expected = await sessions.listExpectedAssets({ sessionId }, auditor);
  expect(expected.assets.map(({ scanned }) => scanned)).toEqual([false, false]);
  register.assets.before(async () => undefined);
  const done = await reconcile();
  expect(done).toMatchObject({ status: SessionStatus.RECONCILED, coverage: 1, unresolved: 1 });
  expect(done.error).toBeUndefined();
});

test.each<[string, () => void]>([
  ["in its last phase", failTheLastPhase],
  [
    "on its second page of codes",
    () =>
      tagging.onResolve(async (_, texts) => {
        if (texts.length < 1_000) throw tooLarge();
      }),
  ],
])(
  "a reconcile that fails %s leaves the session reconciled and stale, so it can't be closed",
  async (_, fail) => {
    const { scan, reconcile, close, resolve, list, workspaceId, room, assetIds } = await newCount(
      stocktake,
      2,
    );
    await scan(room, "T0", "T1");
    await scan(room, ...Array.from({ length: 1_000 }, (_, index) => `X${index}`));
    await reconcile();
    // Two changes since then: the tags of the second asset, and the asset itself.
    register.assets.set(workspaceId, { id: assetIds[1] ?? "", deletedAt: new Date() });
    fail();
    expect(await reconcile()).toMatchObject({
      ...{ status: SessionStatus.RECONCILED, stale: true, error: { code: "TREE_TOO_LARGE" } },
    });
    expect(await codeOf(close())).toBe("STOCKTAKE_STALE");
    register.assets.before(async () => undefined);
    tagging.onResolve(async () => undefined);
    expect(await reconcile()).toMatchObject({ stale: false, excluded: 1, unresolved: 1_001 });
    const [gone] = await list({ reason: VarianceReason.DELETED_ASSET });
    expect(inShort(await resolve(gone?.id ?? "", Resolution.IGNORED))).toBe("unregistered resolved ignored");
  },
);

test("a reconcile that fails before it has written anything leaves the session as it was", async () => {
  const { scan, reconcile, read, room } = await newCount(stocktake, 1);
  await scan(room, "T0", "X");
  const before = await reconcile();
  tagging.onResolve(async () => {
    throw tooLarge();
  });
  expect(await reconcile()).toMatchObject({ stale: false, error: { code: "TREE_TOO_LARGE" } });
  expect(await read()).toMatchObject({ scanSeq: before.scanSeq, unresolved: before.unresolved });
});

test("the run of an earlier release begins again, with the same scans", async () => {
  const { scan, reconcile, list, sessionId, workspaceId, room } = await newCount(stocktake, 1);
  await scan(room, "T0", "X", "Y");
  const first = await reconcile();
  const rows = await list();
  type Stored = { _id: string; workspaceId: string };
  const own = { workspaceId, sessionId };
  await mongo.collection<Stored>("scanned_codes").updateMany(own, { $unset: { canonical: 1 } });
  const old = { seq: 1, until: new Date(), before: "reconciled", phase: "unbound", after: "code:X" };
  const reconciling = { status: "reconciling", run: { ...old, tagsScanned: 3, tally: {}, rows: {} } };
  await mongo
    .collection<Stored>("sessions")
    .updateOne({ _id: sessionId, workspaceId }, { $set: reconciling });
  const { tagsScanned, unresolved, coverage } = await reconcile();
  expect({ tagsScanned, unresolved, coverage }).toEqual({
    ...{ tagsScanned: first.tagsScanned, unresolved: first.unresolved, coverage: first.coverage },
  });
  expect(await list()).toEqual(rows);
});

test("register and tagging unavailable while a session is reconciled: it waits, and ends as usual", async () => {
  const { scan, reconcile, workspaceId, room } = await newCount(stocktake, 1);
  await scan(room, "T0");
  let failures = 0;
  const fail = async (workspace: string) => {
    if (workspace !== workspaceId || failures === 4) return;
    failures += 1;
    throw unavailable();
  };
  tagging.onResolve(async (workspace) => (failures < 2 ? fail(workspace) : undefined));
  register.assets.before(({ workspaceId: workspace }) => fail(workspace));
  expect(await reconcile()).toMatchObject({ status: SessionStatus.RECONCILED, coverage: 1 });
  expect(failures).toBe(4);
});

test("reconciling is refused in a draft, at an old rev, for viewers and for others", async () => {
  const { sessionId, workspace, auditor } = await newCount(stocktake, 1);
  const call = (request: { id: string; ifRevIn?: number[] }, as = auditor) =>
    codeOf(stocktake.reconcile.reconcileSession(request, as));
  const session = { name: "Autumn", scopeType: 1 };
  const draft = await sessions.createSession({ session }, auditor);
  expect(await call({ id: draft.session?.id ?? "" })).toBe("STOCKTAKE_STATE");
  expect(await call({ id: sessionId, ifRevIn: [7] })).toBe("PRECONDITION_FAILED");
  expect(await call({ id: newId("sts"), ifRevIn: [7] })).toBe("NOT_FOUND");
  expect(await call({ id: sessionId }, workspace.viewer)).toBe("FORBIDDEN");
  expect(await call({ id: sessionId }, (await newWorkspace(stocktake)).auditor)).toBe("NOT_FOUND");
});
