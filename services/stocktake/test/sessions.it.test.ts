import { eventually } from "@asset-register/harness";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { conflict, newId } from "@asset-register/runtime";
import { caller, codeOf, failure } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { inProgress } from "../src/domain/session.ts";
import { newWorkspace, sessionCalls, sharedStocktake } from "./support.ts";

const stocktake = await sharedStocktake();
const { register, sessions, recorded, auditEntries } = stocktake;

/** A call works on an opening for this long. On a busy machine it is still opening then. */
const CALL_MS = 2_000;

async function setUp() {
  const workspace = await newWorkspace(stocktake);
  return { workspace, ...sessionCalls(stocktake, workspace) };
}

test("a session is created as a draft, and opened with the assets of its scope", async () => {
  const { workspace, create, open, ended } = await setUp();
  const scopeId = newId("loc");
  const ids = register.setScope(workspace.id, 3, scopeId);
  const draft = await create({ name: " Spring ", scopeType: ScopeType.LOCATION, scopeId });
  expect(draft).toMatchObject({ name: "Spring", status: SessionStatus.DRAFT, expected: 0, rev: 1, scopeId });
  const called = performance.now();
  const answer = await open(draft.id);
  const wasInTime = performance.now() - called < CALL_MS;
  const opened = await ended(draft.id);
  expect(opened).toMatchObject({
    ...{ status: SessionStatus.OPEN, expected: 3, rev: 3, stale: false },
    progress: { done: 3, total: 3 },
  });
  expect(opened.openedAt).toBeDefined();
  if (wasInTime) expect(answer).toEqual(opened);
  const expected = await sessions.listExpectedAssets({ sessionId: draft.id }, workspace.viewer);
  expect(expected.assets.map(({ assetId }) => assetId)).toEqual(ids);
  expect(expected.assets[0]).toMatchObject({ number: "AST-0", statusKey: "in_stock", scanned: false });
  expect(expected.page?.total).toBe(3);
  await eventually(() => expect(recorded.stocktake.of(draft.id)).toHaveLength(1));
  expect(recorded.stocktake.of(draft.id)[0]).toMatchObject({
    sequence: 1,
    message: { state: { id: draft.id, expected: 3 }, change: { case: "opened" } },
  });
});

test("a scope names an existing record, and the scope all names none", async () => {
  const { workspace, create } = await setUp();
  const stranger = await newWorkspace(stocktake);
  const foreign = newId("loc");
  register.setScope(stranger.id, 1, foreign);
  const refused = (fields: object) => failure(create(fields));
  const unknown = { code: "NOT_FOUND", violations: [{ field: "scope_id" }] };
  const scopeType = ScopeType.LOCATION;
  expect(await refused({ scopeType, scopeId: newId("loc") })).toMatchObject(unknown);
  expect(await refused({ scopeType, scopeId: foreign })).toMatchObject(unknown);
  const invalid = { code: "VALIDATION_FAILED", violations: [{ field: "scope_id" }] };
  expect(await refused({ scopeType })).toMatchObject(invalid);
  expect(await refused({ scopeType: ScopeType.ALL, scopeId: foreign })).toMatchObject(invalid);
  expect(await refused({ scopeType: ScopeType.UNSPECIFIED })).toMatchObject({
    violations: [{ field: "scope_type" }],
  });
  expect(await refused({ name: " " })).toMatchObject({ violations: [{ field: "name" }] });
  expect((await sessions.listSessions({}, workspace.viewer)).page?.total).toBe(0);
});

test("an empty scope is STOCKTAKE_SCOPE_EMPTY at once, and the session stays a draft", async () => {
  const { workspace, create, open, openFully, read } = await setUp();
  register.setScope(workspace.id, 0);
  const draft = await create();
  expect(await failure(open(draft.id))).toMatchObject({
    ...{ kind: "invalid", code: "STOCKTAKE_SCOPE_EMPTY" },
    violations: [{ field: "scope_id" }],
  });
  expect(await read(draft.id)).toEqual(draft);
  register.setScope(workspace.id, 1);
  expect(await openFully(draft.id)).toMatchObject({ status: SessionStatus.OPEN, expected: 1 });
});

test("a scope that is too large is TREE_TOO_LARGE, and a deleted one NOT_FOUND on scope_id", async () => {
  const { workspace, create, open, read } = await setUp();
  const scopeId = newId("cat");
  register.setScope(workspace.id, 1, scopeId);
  const draft = await create({ scopeType: ScopeType.CATEGORY, scopeId });
  register.onCount(() => {
    throw conflict("TREE_TOO_LARGE", "More than 5000 records are in the scope.", [
      { field: "scope_id", message: "has too many" },
    ]);
  });
  expect(await codeOf(open(draft.id))).toBe("TREE_TOO_LARGE");
  register.onCount(() => undefined);
  register.removeScope(workspace.id, scopeId);
  expect(await failure(open(draft.id))).toMatchObject({
    code: "NOT_FOUND",
    violations: [{ field: "scope_id" }],
  });
  expect(await read(draft.id)).toEqual(draft);
});

test("two opens at once: one is made, the other gets STOCKTAKE_STATE; the assets are expected once", async () => {
  const { workspace, create, open, ended } = await setUp();
  register.setScope(workspace.id, 40);
  const { id } = await create();
  const both = await Promise.allSettled([open(id), open(id)]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find((one) => one.status === "rejected")?.reason).toMatchObject({ code: "STOCKTAKE_STATE" });
  expect(await ended(id)).toMatchObject({ status: SessionStatus.OPEN, expected: 40, rev: 3 });
  const stored = { workspaceId: workspace.id, sessionId: id };
  expect(await stocktake.mongo.collection("expected_assets").countDocuments(stored)).toBe(40);
  await eventually(() => expect(auditEntries(workspace.id)).toHaveLength(1));
  expect(auditEntries(workspace.id)).toMatchObject([
    { action: "stocktake.opened", subjectId: id, changes: { status: ["draft", "opening"] } },
  ]);
});

test("a repeat with the same Idempotency-Key answers the open session again", async () => {
  const { workspace, create } = await setUp();
  register.setScope(workspace.id, 2);
  const { id } = await create();
  const keyed = { ...workspace.auditor, idempotencyKey: "POST /stocktake/sessions/open again" };
  const called = performance.now();
  const first = await sessions.openSession({ id }, keyed);
  if (performance.now() - called < CALL_MS) expect(first.session?.status).toBe(SessionStatus.OPEN);
  expect(await sessions.openSession({ id }, keyed)).toEqual(first);
});

test("a cancelled session is final: it publishes cancelled once, and refuses open, cancel and scans", async () => {
  const { workspace, create, open, openFully, cancel, read } = await setUp();
  register.setScope(workspace.id, 1);
  const { id } = await create();
  await openFully(id);
  const cancelled = await cancel(id);
  expect(cancelled).toMatchObject({ status: SessionStatus.CANCELLED, rev: 4 });
  for (const again of [open, cancel]) {
    expect(await failure(again(id))).toMatchObject({
      code: "STOCKTAKE_STATE",
      violations: [{ field: "status", message: "cancelled" }],
    });
  }
  const scans = { sessionId: id, scans: [{}] };
  expect(await codeOf(stocktake.scans.addScans(scans, workspace.auditor))).toBe("STOCKTAKE_STATE");
  expect(await read(id)).toEqual(cancelled);
  await eventually(() => expect(recorded.stocktake.of(id)).toHaveLength(2));
  expect(recorded.stocktake.of(id).map(({ sequence, message }) => [sequence, message?.change.case])).toEqual([
    [1, "opened"],
    [2, "cancelled"],
  ]);
  await eventually(() => expect(auditEntries(workspace.id)).toHaveLength(2));
  expect(auditEntries(workspace.id)[1]).toMatchObject({
    ...{ action: "stocktake.cancelled", actor: { kind: "user" } },
    changes: { status: ["open", "cancelled"] },
  });
});

test("the order of checks is 404, 412, 409; scans raise no rev", async () => {
  const { workspace, create, open } = await setUp();
  const { auditor } = workspace;
  register.setScope(workspace.id, 1);
  const { id } = await create();
  type Request = { id?: string; ifRevIn?: number[] };
  const changes = {
    open: (request: Request) => sessions.openSession({ id, ...request }, auditor),
    cancel: (request: Request) => sessions.cancelSession({ id, ...request }, auditor),
    scans: ({ id: sessionId = id, ...request }: Request) =>
      stocktake.scans.addScans({ sessionId, scans: [{}], ...request }, auditor),
  };
  for (const change of Object.values(changes)) {
    expect(await codeOf(change({ id: newId("sts"), ifRevIn: [9] }))).toBe("NOT_FOUND");
    expect(await codeOf(change({ ifRevIn: [9] }))).toBe("PRECONDITION_FAILED");
  }
  expect(await codeOf(changes.scans({}))).toBe("STOCKTAKE_STATE");
  expect(await codeOf(sessions.openSession({ id, ifRevIn: [1] }, auditor))).toBeUndefined();
  expect(await codeOf(open(id))).toBe("STOCKTAKE_STATE");
});

test("what a blind session expects is hidden: STOCKTAKE_BLIND, and neither expected nor a total, in its event neither", async () => {
  const { workspace, create, openFully, cancel } = await setUp();
  register.setScope(workspace.id, 2);
  const { id } = await create({ blind: true });
  const opened = await openFully(id);
  expect(opened).toMatchObject({ status: SessionStatus.OPEN, blind: true, progress: { done: 0 } });
  expect([opened.expected, opened.progress?.total]).toEqual([undefined, undefined]);
  expect(await codeOf(sessions.listExpectedAssets({ sessionId: id }, workspace.viewer))).toBe(
    "STOCKTAKE_BLIND",
  );
  await eventually(() => expect(recorded.stocktake.of(id)).toHaveLength(1));
  expect(recorded.stocktake.of(id)[0]?.message?.state?.expected).toBeUndefined();
  expect((await cancel(id)).progress).toMatchObject({ done: 0 });
});

test("sessions in progress are those from opening until closing or cancelling", async () => {
  const { workspace, create, open, ended, cancel } = await setUp();
  register.setScope(workspace.id, 1);
  const [draft, opened, cancelled] = [await create(), await create(), await create()];
  for (const { id } of [opened, cancelled]) {
    await open(id);
    await ended(id);
  }
  await cancel(cancelled.id);
  const list = async (inProgress: boolean) => {
    const { sessions: found, page } = await sessions.listSessions({ inProgress }, workspace.viewer);
    expect(page?.total).toBe(found.length);
    return found.map(({ id }) => id);
  };
  expect(await list(true)).toEqual([opened.id]);
  expect(await list(false)).toEqual([draft.id, cancelled.id]);
  const explained: unknown = await stocktake.mongo
    .collection("sessions")
    .find({ workspaceId: workspace.id, status: { $in: [...inProgress] } })
    .sort({ _id: 1 })
    .limit(10)
    .explain("executionStats");
  const { executionStats } = explained as { executionStats: { totalKeysExamined: number } };
  expect(JSON.stringify(executionStats)).not.toContain('"SORT"');
  // A key of each status shows that it has no more.
  expect(executionStats.totalKeysExamined).toBeLessThanOrEqual(1 + 2 * inProgress.length);
});

test("a session of another workspace is 404, and in no list", async () => {
  const { workspace, create } = await setUp();
  const stranger = await newWorkspace(stocktake);
  register.setScope(workspace.id, 1);
  const { id } = await create();
  const calls = [
    sessions.getSession({ id }, stranger.viewer),
    sessions.openSession({ id }, stranger.auditor),
    sessions.cancelSession({ id }, stranger.auditor),
    sessions.listExpectedAssets({ sessionId: id }, stranger.viewer),
    stocktake.scans.listScans({ sessionId: id }, stranger.viewer),
    stocktake.scans.addScans({ sessionId: id, scans: [{}] }, stranger.auditor),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "NOT_FOUND"));
  expect((await sessions.listSessions({}, stranger.viewer)).sessions).toEqual([]);
  expect((await sessions.listSessions({}, workspace.viewer)).sessions.map((one) => one.id)).toEqual([id]);
});

test("reading needs view, and changing needs audit", async () => {
  const { workspace, create } = await setUp();
  const { id } = await create();
  const only = (capability: "audit" | "view") => caller.user(workspace.id, capability);
  const session = { name: "Autumn", scopeType: ScopeType.ALL };
  const reads = (as: ReturnType<typeof only>) => [
    sessions.getSession({ id }, as),
    sessions.listSessions({}, as),
    sessions.listExpectedAssets({ sessionId: id }, as),
    stocktake.scans.listScans({ sessionId: id }, as),
  ];
  const writes = (as: ReturnType<typeof only>) => [
    sessions.createSession({ session }, as),
    stocktake.scans.addScans({ sessionId: id, scans: [{}], ifRevIn: [9] }, as),
    sessions.openSession({ id, ifRevIn: [9] }, as),
    sessions.cancelSession({ id }, as),
  ];
  const codes = (calls: Promise<unknown>[]) => Promise.all(calls.map(codeOf));
  const forbidden = Array(4).fill("FORBIDDEN");
  expect(await codes(reads(only("audit")))).toEqual(forbidden);
  expect(await codes(writes(only("view")))).toEqual(forbidden);
  expect(await codes(reads(only("view")))).toEqual(Array(4).fill(undefined));
  expect(await codes(writes(only("audit")))).not.toContain("FORBIDDEN");
});
