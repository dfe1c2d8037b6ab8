import { eventually } from "@asset-register/harness";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { unavailable } from "@asset-register/runtime";
import { codeOf, failure } from "@asset-register/service-harness";
import { afterEach, expect, test } from "vitest";
import { newCount, Resolution, VarianceKind } from "./counting.ts";
import { sharedStocktake } from "./support.ts";

const stocktake = await sharedStocktake();
const { register, recorded, auditEntries, reports } = stocktake;
const { IGNORED, WRITTEN_OFF } = Resolution;
afterEach(() => register.assets.before(async () => undefined));

/** A reconciled session: the first asset is in place, the second one is missing. */
async function reconciled() {
  const count = await newCount(stocktake, 2);
  register.assets.set(count.workspaceId, { id: count.assetIds[1] ?? "", cost: 12_345n });
  await count.scan(count.room, "T0");
  await count.reconcile();
  return { ...count, missing: await count.of(count.assetIds[1]) };
}

test("closing needs all variances resolved; then the assets seen are marked once, and events and audit say so", async () => {
  const { workspaceId, sessionId, assetIds, auditor, close, read, resolve, missing } = await reconciled();
  expect(await failure(close())).toMatchObject({
    ...{ code: "STOCKTAKE_UNRESOLVED", violations: [{ field: "unresolved", message: "1" }] },
  });
  await resolve(missing.id, WRITTEN_OFF);
  const closed = await close();
  expect(closed).toMatchObject({ status: SessionStatus.CLOSED, unresolved: 0 });
  await eventually(async () => expect((await read()).stamped).toMatchObject({ done: 1, total: 1 }));
  const { closedAt } = closed;
  expect(register.assets.effectsOf(workspaceId, "markCounted")).toMatchObject([
    { sessionId, closedAt, assetIds: [assetIds[0]] },
  ]);
  const changes = () => recorded.stocktake.of(sessionId).map(({ message }) => message?.change.case);
  await eventually(() => expect(changes()).toEqual(["opened", "reconciled", "varianceResolved", "closed"]));
  await eventually(() => {
    const actions = auditEntries(workspaceId).map(({ action }) => action);
    expect(actions).toEqual(["stocktake.opened", "stocktake.closed"]);
  });
  expect(await resolve(missing.id, WRITTEN_OFF)).toMatchObject({ rev: missing.rev + 2 });
  expect(await codeOf(resolve(missing.id, IGNORED))).toBe("STOCKTAKE_STATE");
  expect(await codeOf(stocktake.reconcile.reconcileSession({ id: sessionId }, auditor))).toBe(
    "STOCKTAKE_STATE",
  );
});

test("a session with scans after its reconcile is STOCKTAKE_STALE; of two closes at once, one gets STOCKTAKE_STATE", async () => {
  const { close, scan, reconcile, resolve, room, missing } = await reconciled();
  await resolve(missing.id, IGNORED);
  await scan(room, "T0");
  expect(await codeOf(close())).toBe("STOCKTAKE_STALE");
  await reconcile();
  expect((await Promise.all([codeOf(close()), codeOf(close())])).sort()).toEqual([
    ...["STOCKTAKE_STATE", undefined],
  ]);
});

test("register is unavailable after a session was closed: the marking waits, and each asset is marked", async () => {
  const { workspaceId, assetIds, close, read, resolve, missing } = await reconciled();
  await resolve(missing.id, IGNORED);
  let isAway = true;
  register.assets.before(async ({ method, workspaceId: asked }) => {
    if (isAway && method === "markCounted" && asked === workspaceId) throw unavailable();
  });
  expect(await close()).toMatchObject({ status: SessionStatus.CLOSED, stamped: { done: 0, total: 1 } });
  isAway = false;
  await eventually(async () => expect((await read()).stamped).toMatchObject({ done: 1, total: 1 }));
  const marked = register.assets.effectsOf(workspaceId, "markCounted");
  expect(marked.map((request) => request.assetIds)).toEqual([[assetIds[0]]]);
});

test("the report of a closed session has counts, value and rows, and never changes", async () => {
  const { workspaceId, workspace, sessionId, assetIds, close, resolve, missing } = await reconciled();
  await resolve(missing.id, WRITTEN_OFF);
  await close();
  const report = () => reports.getVarianceReport({ sessionId }, workspace.viewer);
  const first = await report();
  expect(first.report).toMatchObject({
    coverage: 0.5,
    accuracy: 0.5,
    value: { missingCost: { minorUnits: 12_345n } },
  });
  const counts = first.report?.counts.find(({ kind }) => kind === VarianceKind.MISSING);
  expect(counts).toMatchObject({ total: 1, unresolved: 0, writtenOff: 1 });
  expect([first.rows.map(({ id }) => id), first.page?.total]).toEqual([[missing.id], 1]);
  register.assets.set(workspaceId, { id: assetIds[1] ?? "", name: "Renamed", cost: 1n });
  expect((await report()).rows).toEqual(first.rows);
});
