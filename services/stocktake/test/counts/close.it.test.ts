import { eventually } from "@asset-register/harness";
import { HistoryAction } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { caller, codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { newCount, Resolution, SessionStatus, VarianceKind } from "./count.ts";
import { sharedCounting } from "./platform.ts";

const counting = await sharedCounting();
const { calls, recorded, auditEntries } = counting;
const { IGNORED, WRITTEN_OFF } = Resolution;
const EUR = "EUR";

/** A reconciled session: A is in place, B is missing. */
async function reconciled() {
  const count = await newCount(counting);
  const { assets, place, scan, session, variances } = count;
  const room = await place("=Room");
  const a = await assets.make("A", room);
  const b = await assets.make("B", room, { cost: { minorUnits: 12_345n, currency: EUR } });
  const id = await session.open();
  await scan(id, room, "A");
  await session.reconcile(id);
  return { ...count, sessionId: id, room, a, b, missing: await variances.of(id, b) };
}

test("closing needs all variances resolved; then the assets seen are stamped, and events and audit say so", async () => {
  const { a, b, admin, assets, id: workspaceId, missing, session, sessionId, variances } = await reconciled();
  const refused = calls.reconcile.closeSession({ id: sessionId }, admin);
  await expect(refused).rejects.toMatchObject({
    code: "STOCKTAKE_UNRESOLVED",
    violations: [{ field: "unresolved", message: "1" }],
  });
  await variances.resolve(missing.id, IGNORED);
  const closed = await session.close(sessionId);
  expect(closed).toMatchObject({ status: SessionStatus.CLOSED, unresolved: 0 });
  await eventually(async () => {
    expect((await session.read(sessionId)).stamped).toMatchObject({ done: 1, total: 1 });
  });
  expect((await assets.read(a)).lastAuditedAt).toEqual(closed.closedAt);
  expect((await assets.read(b)).lastAuditedAt).toBeUndefined();
  const { entries } = await calls.assets.listHistory({ assetId: a }, admin);
  expect(entries.filter(({ action }) => action === HistoryAction.COUNTED)).toHaveLength(1);

  const changes = () => recorded.stocktake.of(sessionId).map(({ message }) => message?.change.case);
  await eventually(() => expect(changes()).toEqual(["opened", "reconciled", "varianceResolved", "closed"]));
  await eventually(() => {
    const actions = auditEntries(workspaceId).filter(({ subjectId }) => subjectId === sessionId);
    expect(actions.map(({ action }) => action)).toEqual(["stocktake.opened", "stocktake.closed"]);
  });
  expect(await codeOf(calls.reconcile.reconcileSession({ id: sessionId }, admin))).toBe("STOCKTAKE_STATE");
});

test("two closes at once: one succeeds, the other gets STOCKTAKE_STATE", async () => {
  const { missing, session, sessionId, variances } = await reconciled();
  await variances.resolve(missing.id, WRITTEN_OFF);
  const codes = await Promise.all([codeOf(session.close(sessionId)), codeOf(session.close(sessionId))]);
  expect(codes.sort()).toEqual(["STOCKTAKE_STATE", undefined]);
});

test("a close against a scan: either the scan is refused, or the close is STOCKTAKE_STALE", async () => {
  const { missing, room, scan, session, sessionId, variances } = await reconciled();
  await variances.resolve(missing.id, IGNORED);
  const [closing, scanning] = await Promise.all([
    codeOf(session.close(sessionId)),
    codeOf(scan(sessionId, room, "late")),
  ]);
  const { status, stale, scans } = await session.read(sessionId);
  if (closing === undefined) {
    expect([scanning, status, scans]).toEqual(["STOCKTAKE_STATE", SessionStatus.CLOSED, 1]);
  } else {
    expect([closing, scanning, stale]).toEqual(["STOCKTAKE_STALE", undefined, true]);
  }
});

test("a close against a resolution of its last variance: never closed with an unresolved one", async () => {
  const { missing, session, sessionId, variances } = await reconciled();
  const [closing] = await Promise.all([
    codeOf(session.close(sessionId)),
    variances.resolve(missing.id, WRITTEN_OFF),
  ]);
  expect(["STOCKTAKE_UNRESOLVED", undefined]).toContain(closing);
  expect(await session.read(sessionId)).toMatchObject({ unresolved: 0 });
});

test("scans in the middle of a reconcile are counted or make it stale, and none is lost", async () => {
  const { id: workspaceId, auditor, room, scan, session, sessionId, variances } = await reconciled();
  await Promise.all([
    calls.reconcile.reconcileSession({ id: sessionId }, auditor),
    ...Array.from({ length: 6 }, (_, index) => scan(sessionId, room, `late-${index}`)),
  ]);
  const first = await session.ended(sessionId);
  const stored = await counting.mongo
    .collection<{ _id: string; workspaceId: string; seq: number }>("scans")
    .find({ workspaceId })
    .toArray();
  const counted = stored.filter(({ seq }) => seq <= (first.reconciledSeq ?? 0)).length;
  expect(first).toMatchObject({ scans: 7, tagsScanned: counted, stale: counted < 7 });
  expect(await session.reconcile(sessionId)).toMatchObject({ tagsScanned: 7, stale: false });
  const rows = await variances.list(sessionId);
  expect(rows.filter(({ kind }) => kind === VarianceKind.UNREGISTERED)).toHaveLength(6);
});

test("two reconciles at once answer the same record and are one reconcile", async () => {
  const { auditor, session, sessionId } = await reconciled();
  const events = (await session.read(sessionId)).rev;
  await Promise.all([
    calls.reconcile.reconcileSession({ id: sessionId }, auditor),
    calls.reconcile.reconcileSession({ id: sessionId }, auditor),
  ]);
  const { rev } = await session.ended(sessionId);
  // Two revs for each reconcile. The second call may come after the first has ended.
  expect([events + 2, events + 4]).toContain(rev);
});

test("the report has counts, value and a page of rows; the lists filter by kind, status and reason", async () => {
  const { id: workspaceId, missing, session, sessionId, variances } = await reconciled();
  const viewer = caller.user(workspaceId, "view");
  await variances.resolve(missing.id, WRITTEN_OFF, { note: "gone" });
  await session.close(sessionId);
  const report = async (fields: object = {}) =>
    calls.reports.getVarianceReport({ sessionId, ...fields }, viewer);
  const { report: figures, rows, page } = await report();
  expect(figures).toMatchObject({
    ...{ session: { id: sessionId }, coverage: 0.5, accuracy: 0.5 },
    value: { missingCost: { minorUnits: 12_345n }, missingNbv: { minorUnits: 12_345n } },
  });
  const countsOf = (kind: VarianceKind) => figures?.counts.find((one) => one.kind === kind);
  expect(countsOf(VarianceKind.MISSING)).toMatchObject({ total: 1, unresolved: 0, writtenOff: 1 });
  expect(countsOf(VarianceKind.FOUND)).toMatchObject({ total: 1, unresolved: 0 });
  expect([rows.map(({ id }) => id), page?.total]).toEqual([[missing.id], 1]);
  expect((await report({ kind: VarianceKind.FOUND })).rows).toHaveLength(1);
  const list = async (filter: object) =>
    (await calls.variances.listVariances({ sessionId, ...filter }, viewer)).variances.length;
  expect(await list({})).toBe(2);
  expect(await list({ kind: VarianceKind.MISSING })).toBe(1);
  expect(await list({ status: 1 })).toBe(0);
  expect(await list({ reason: 4 })).toBe(0);
  const other = await newCount(counting);
  const foreign = calls.reports.getVarianceReport({ sessionId }, other.auditor);
  expect(await codeOf(foreign)).toBe("NOT_FOUND");
});

test("the export has the columns of the design, guarded, without obsolete rows, and is in the audit log; an unknown session is NOT_FOUND", async () => {
  const {
    auditor,
    b,
    id: workspaceId,
    room,
    scan,
    missing,
    session,
    sessionId,
    variances,
  } = await reconciled();
  await variances.resolve(missing.id, IGNORED, { note: "@home" });
  await scan(sessionId, room, "X");
  await session.reconcile(sessionId);
  const exported = async (id: string) => {
    const parts: Uint8Array[] = [];
    for await (const { content } of calls.reports.exportVariances({ sessionId: id }, auditor))
      parts.push(content);
    return Buffer.concat(parts).toString("utf8").trimEnd().split("\r\n");
  };
  const [header, ...lines] = await exported(sessionId);
  expect(header?.replaceAll('"', "")).toBe(
    "session_id,session,kind,reason,asset_id,asset_number,asset_name,code,epc,expected_location,expected_location_id,effective_location,effective_location_id,last_scanned_at,device_id,resolution,note,resolved_by,resolved_at,former_resolutions",
  );
  expect(lines).toHaveLength(3);
  const row = lines.find((line) => line.includes(b));
  expect(row).toContain(`"missing","","${b}"`);
  expect(row).toContain(`"'=Room","${room}"`);
  expect(row).toContain(`"ignored","'@home"`);
  expect(await codeOf(exported("sts_none"))).toBe("NOT_FOUND");
  await eventually(() => {
    const actions = auditEntries(workspaceId).filter(({ action }) => action.endsWith("exported"));
    expect(actions).toMatchObject([{ action: "stocktake.variances_exported", subjectId: sessionId }]);
  });
});
