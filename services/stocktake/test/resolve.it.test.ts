import { eventually } from "@asset-register/harness";
import { ResolutionOutcome } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { AppError, conflict, unavailable } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, test } from "vitest";
import { inShort, newCount, Resolution } from "./counting.ts";
import { newWorkspace, sharedStocktake } from "./support.ts";

const stocktake = await sharedStocktake();
const { register, recorded, variances, reports } = stocktake;
const { CONFIRMED_MOVED, WRITTEN_OFF, IGNORED } = Resolution;
afterEach(() => register.assets.before(async () => undefined));

/** A reconciled session: the first asset is misplaced, the second one missing, and X has no asset. */
async function reconciled() {
  const count = await newCount(stocktake, 2);
  const { scan, reconcile, of, assetIds, attic } = count;
  await scan(attic, "T0", "X");
  const session = await reconcile();
  const [misplaced, missing, unregistered] = [await of(assetIds[0]), await of(assetIds[1]), await of("X")];
  return { ...count, session, misplaced, missing, unregistered };
}

const movedSince = () =>
  conflict("ASSET_MOVED_SINCE", "The asset was moved after the scan.", [
    { field: "asset_id", message: "has moved" },
  ]);

/** Refuses the next effects of a workspace, the first one after `go`. */
function refusals(workspaceId: string, count: number) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let left = count;
  register.assets.before(async ({ method, workspaceId: asked }) => {
    if (asked !== workspaceId || !["confirmCount", "markLost"].includes(method) || left === 0) return;
    left -= 1;
    reached.resolve();
    await gate.promise;
    throw movedSince();
  });
  return { reached: reached.promise, go: gate.resolve };
}

test("each resolution has its effect in register once, for the auditor's session, and is published", async () => {
  const { workspaceId, sessionId, assetIds, attic, resolve, read, session, ...rows } = await reconciled();
  const confirmed = await resolve(rows.misplaced.id, CONFIRMED_MOVED, { note: "seen by me" });
  expect(inShort(confirmed)).toBe("misplaced resolved confirmed_moved");
  expect(confirmed).toMatchObject({ note: "seen by me", rev: rows.misplaced.rev + 2 });
  expect(register.assets.effectsOf(workspaceId, "confirmCount")).toMatchObject([
    {
      ...{ assetId: assetIds[0], locationId: attic, sessionId, restoreStatus: false },
      ...{ scannedAt: rows.misplaced.lastScannedAt, causeId: `${rows.misplaced.id}:2` },
    },
  ]);
  await resolve(rows.missing.id, WRITTEN_OFF);
  const [lost] = register.assets.effectsOf(workspaceId, "markLost");
  expect(lost).toMatchObject({ assetId: assetIds[1], note: "stock-take Spring" });
  // Register compares what happened since the reconcile began to read, not since it ended.
  const seenUntil = lost?.seenUntil && timestampDate(lost.seenUntil);
  expect(seenUntil && session.reconciledAt && seenUntil < timestampDate(session.reconciledAt)).toBe(true);
  await resolve(rows.unregistered.id, IGNORED);
  expect(await read()).toMatchObject({ unresolved: 0 });
  await eventually(() => expect(recorded.stocktake.of(sessionId)).toHaveLength(5));
  expect(recorded.stocktake.of(sessionId)[2]?.message?.change.value).toMatchObject({
    ...{ varianceId: rows.misplaced.id, assetId: assetIds[0], assetRev: 2, resolution: CONFIRMED_MOVED },
  });
});

test("the same resolution again is the same answer, another one VARIANCE_RESOLVED, one for another kind not allowed", async () => {
  const { workspaceId, resolve, misplaced, missing, unregistered } = await reconciled();
  const first = await resolve(misplaced.id, CONFIRMED_MOVED);
  expect(await resolve(misplaced.id, CONFIRMED_MOVED)).toEqual(first);
  expect(await codeOf(resolve(misplaced.id, IGNORED))).toBe("VARIANCE_RESOLVED");
  expect(register.assets.effectsOf(workspaceId, "confirmCount")).toHaveLength(1);
  for (const [id, resolution] of [
    [missing.id, CONFIRMED_MOVED],
    [unregistered.id, WRITTEN_OFF],
  ] as const) {
    expect(await codeOf(resolve(id, resolution))).toBe("RESOLUTION_NOT_ALLOWED");
  }
});

test("a refused effect is the answer, sets the variance back, and stays among its resolutions", async () => {
  const { workspaceId, session, resolve, of, read, reconcile, assetIds, missing } = await reconciled();
  refusals(workspaceId, 1).go();
  expect(await codeOf(resolve(missing.id, WRITTEN_OFF, { note: "not here" }))).toBe("ASSET_MOVED_SINCE");
  const after = await of(assetIds[1]);
  expect([inShort(after), after.rev, after.note, after.resolvedBy]).toEqual([
    ...["missing unresolved", missing.rev + 2, undefined, undefined],
  ]);
  const by = { id: session.createdBy?.id };
  const refused = { resolution: WRITTEN_OFF, note: "not here", by, rev: missing.rev + 1 };
  const outcome = { outcome: ResolutionOutcome.REFUSED, code: "ASSET_MOVED_SINCE" };
  expect(after.resolutions).toMatchObject([{ ...refused, ...outcome }]);
  expect(await read()).toMatchObject({ unresolved: 3 });
  await reconcile();
  const again = await resolve(missing.id, WRITTEN_OFF);
  expect(again.resolutions).toMatchObject([
    { ...refused, ...outcome },
    { resolution: WRITTEN_OFF, rev: missing.rev + 3, outcome: ResolutionOutcome.RESOLVED },
  ]);
});

test("a row that is opened again keeps its former resolution, in lists, report and file", async () => {
  const { auditor, session, sessionId, resolve, of, scan, reconcile, ...rest } = await reconciled();
  const { assetIds, attic, misplaced, missing } = rest;
  await resolve(missing.id, WRITTEN_OFF, { note: "gone; sold?" });
  await resolve(misplaced.id, IGNORED);
  await scan(attic, "T1");
  await reconcile();
  const reopened = await of(assetIds[1]);
  expect([inShort(reopened), reopened.note]).toEqual(["misplaced unresolved", undefined]);
  const former = { resolution: WRITTEN_OFF, note: "gone; sold?", outcome: ResolutionOutcome.RESOLVED };
  expect(reopened.resolutions).toMatchObject([former]);
  const found = await resolve(reopened.id, CONFIRMED_MOVED);
  expect(found.resolutions).toMatchObject([former, { resolution: CONFIRMED_MOVED }]);
  const { rows } = await reports.getVarianceReport({ sessionId }, auditor);
  expect(rows.find(({ id }) => id === found.id)?.resolutions).toEqual(found.resolutions);
  const parts: Uint8Array[] = [];
  for await (const { content } of reports.exportVariances({ sessionId }, auditor)) parts.push(content);
  const lines = Buffer.concat(parts).toString("utf8").trimEnd().split("\r\n");
  const cell = (assetId: string | undefined) =>
    lines
      .find((line) => line.includes(assetId ?? "?"))
      ?.split('","')
      .at(-1);
  expect(lines[0]).toContain('"resolved_at","former_resolutions"');
  expect(cell(assetIds[1])).toContain(`Z ${session.createdBy?.id} written_off resolved: gone; sold?"`);
  // That which holds is not a former one.
  expect(cell(assetIds[0])).toBe('"');
});

test("a resolution with If-Match that waits for another one compares its rev again: PRECONDITION_FAILED after a refusal", async () => {
  const { workspaceId, resolve, of, assetIds, missing } = await reconciled();
  const gate = refusals(workspaceId, 1);
  const first = codeOf(resolve(missing.id, WRITTEN_OFF));
  await gate.reached;
  const ifRevIn = [missing.rev + 1];
  const waiting = [IGNORED, WRITTEN_OFF].map((resolution) =>
    codeOf(resolve(missing.id, resolution, { ifRevIn })),
  );
  expect(inShort(await of(assetIds[1]))).toBe("missing resolving written_off");
  gate.go();
  expect(await first).toBe("ASSET_MOVED_SINCE");
  expect(await Promise.all(waiting)).toEqual(["PRECONDITION_FAILED", "PRECONDITION_FAILED"]);
  expect(inShort(await of(assetIds[1]))).toBe("missing unresolved");
  expect(await codeOf(resolve(missing.id, IGNORED, { ifRevIn: [missing.rev + 2] }))).toBeUndefined();
});

test("equal resolutions at once have one effect and one answer; of different ones, one is VARIANCE_RESOLVED", async () => {
  const { workspaceId, resolve, misplaced, missing, read } = await reconciled();
  const equal = await Promise.all([1, 2, 3].map(() => resolve(misplaced.id, CONFIRMED_MOVED)));
  expect(equal).toEqual([equal[0], equal[0], equal[0]]);
  expect(register.assets.effectsOf(workspaceId, "confirmCount")).toHaveLength(1);
  const codes = await Promise.all([WRITTEN_OFF, IGNORED].map((one) => codeOf(resolve(missing.id, one))));
  expect(codes.sort()).toEqual(["VARIANCE_RESOLVED", undefined]);
  expect(await read()).toMatchObject({ unresolved: 1 });
});

test("register is unavailable: the answer is UNAVAILABLE, a worker applies the resolution once, and reconcile waits for it", async () => {
  const { workspaceId, tryToResolve, of, reconcile, assetIds, misplaced } = await reconciled();
  let isAway = true;
  register.assets.before(async ({ method, workspaceId: asked }) => {
    if (isAway && method === "confirmCount" && asked === workspaceId) throw unavailable();
  });
  expect(await codeOf(tryToResolve(misplaced.id, CONFIRMED_MOVED))).toBe("UNAVAILABLE");
  expect(inShort(await of(assetIds[0]))).toBe("misplaced resolving confirmed_moved");
  isAway = false;
  await reconcile();
  expect(inShort(await of(assetIds[0]))).toBe("misplaced resolved confirmed_moved");
  expect(register.assets.effectsOf(workspaceId, "confirmCount")).toHaveLength(1);
});

test("a lost asset that was found asks for its status, and stays resolved when the session is reconciled again", async () => {
  const { workspaceId, scan, reconcile, resolve, of, assetIds, room } = await newCount(stocktake, 1);
  register.assets.set(workspaceId, { id: assetIds[0] ?? "", statusKey: "lost" });
  await scan(room, "T0");
  await reconcile();
  const found = await of(assetIds[0]);
  expect(inShort(found)).toBe("found unresolved");
  const resolved = await resolve(found.id, CONFIRMED_MOVED);
  expect(register.assets.effectsOf(workspaceId, "confirmCount")).toMatchObject([{ restoreStatus: true }]);
  await reconcile();
  expect(await of(assetIds[0])).toEqual(resolved);
});

test("an asset that was deleted is CONFLICT, and the variance is set back", async () => {
  const { workspaceId, resolve, of, assetIds, missing } = await reconciled();
  register.assets.before(async ({ method, workspaceId: asked }) => {
    if (method === "markLost" && asked === workspaceId)
      throw new AppError({ kind: "not_found", code: "NOT_FOUND", message: "There is no such asset." });
  });
  expect(await codeOf(resolve(missing.id, WRITTEN_OFF))).toBe("CONFLICT");
  expect(inShort(await of(assetIds[1]))).toBe("missing unresolved");
});

test("a variance is missing in other workspaces, refuses an old rev, and viewers may not resolve it", async () => {
  const { workspace, resolve, misplaced } = await reconciled();
  const request = { id: misplaced.id, resolution: IGNORED };
  const stranger = await newWorkspace(stocktake);
  expect(await codeOf(variances.resolveVariance(request, stranger.auditor))).toBe("NOT_FOUND");
  expect(await codeOf(variances.getVariance({ id: misplaced.id }, stranger.viewer))).toBe("NOT_FOUND");
  expect(await codeOf(variances.resolveVariance(request, workspace.viewer))).toBe("FORBIDDEN");
  const old = { ifRevIn: [misplaced.rev + 1] };
  expect(await codeOf(resolve(misplaced.id, IGNORED, old))).toBe("PRECONDITION_FAILED");
  expect(await codeOf(resolve(misplaced.id, WRITTEN_OFF, old))).toBe("PRECONDITION_FAILED");
});
