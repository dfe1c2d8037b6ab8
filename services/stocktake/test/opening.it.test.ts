import { eventually } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { SessionStatus, StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { newId, unavailable } from "@asset-register/runtime";
import { codeOf, workspaceEvent } from "@asset-register/service-harness";
import { afterAll, afterEach, expect, test } from "vitest";
import { newWorkspace, sessionCalls, startStocktake, type Workspace } from "./support.ts";

const stocktake = await startStocktake();
const { register, sessions, mongo } = stocktake;
afterAll(() => stocktake.stop());
afterEach(() => register.onPage(async () => undefined));

async function setUp() {
  const workspace = await newWorkspace(stocktake);
  return { workspace, ...sessionCalls(stocktake, workspace) };
}

const expectedIds = async ({ id: workspaceId }: Workspace, sessionId: string) => {
  const rows = mongo.collection<{ _id: string; workspaceId: string; assetId: string }>("expected_assets");
  const found = await rows.find({ workspaceId, sessionId }).sort({ _id: 1 }).toArray();
  return found.map(({ assetId }) => assetId);
};

/** Stops the page of a workspace after this asset until `go`. */
function pageGate({ id }: Workspace, afterId: string | undefined) {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  register.onPage(async (page) => {
    if (page.workspaceId !== id || page.afterId !== afterId) return;
    reached.resolve();
    await gate.promise;
  });
  return { reached: reached.promise, go: gate.resolve };
}

test("a large session is still opening after 2 s, with its progress; then it is open, after its pages in order", async () => {
  const { workspace, create, open, read, ended } = await setUp();
  const ids = register.setScope(workspace.id, 2_500);
  const { id } = await create();
  const gate = pageGate(workspace, ids[999]);
  expect(await open(id)).toMatchObject({ status: SessionStatus.OPENING, rev: 2 });
  await gate.reached;
  expect(await read(id)).toMatchObject({
    ...{ status: SessionStatus.OPENING, expected: 1_000, rev: 2 },
    progress: { done: 1_000, total: 2_500 },
  });
  const part = await sessions.listExpectedAssets({ sessionId: id }, workspace.viewer);
  expect(part.page?.total).toBe(1_000);
  expect(await codeOf(open(id))).toBe("STOCKTAKE_STATE");
  gate.go();
  expect(await ended(id)).toMatchObject({
    ...{ status: SessionStatus.OPEN, expected: 2_500, rev: 3 },
    progress: { done: 2_500, total: 2_500 },
  });
  expect(await expectedIds(workspace, id)).toEqual(ids);
  const pages = register.pages.filter(({ workspaceId }) => workspaceId === workspace.id);
  // On a slow machine a page may time out, and is read again.
  expect([...new Set(pages.map(({ afterId }) => afterId))]).toEqual([undefined, ids[999], ids[1_999]]);
});

test("a session that is cancelled while it is opening stays cancelled, and expects no more", async () => {
  const { workspace, create, open, cancel, read } = await setUp();
  const ids = register.setScope(workspace.id, 1_200);
  const { id } = await create();
  const gate = pageGate(workspace, ids[999]);
  const called = performance.now();
  const opened = open(id);
  await gate.reached;
  expect(await cancel(id)).toMatchObject({ status: SessionStatus.CANCELLED, expected: 1_000, rev: 3 });
  // On a busy machine the call has answered before: it works for 2 s.
  const wasInTime = performance.now() - called < 2_000;
  gate.go();
  const { status } = await opened;
  if (wasInTime) expect(status).toBe(SessionStatus.CANCELLED);
  expect(await read(id)).toMatchObject({ status: SessionStatus.CANCELLED, expected: 1_000, rev: 3 });
  expect(await expectedIds(workspace, id)).toHaveLength(1_000);
});

test("open and cancel at once: the session is cancelled, whichever was first, and publishes no opened after it", async () => {
  const { workspace, create, open, cancel, read } = await setUp();
  register.setScope(workspace.id, 10);
  const rounds = await Promise.all(Array.from({ length: 4 }, async () => (await create()).id));
  for (const id of rounds) {
    const [, cancelled] = await Promise.allSettled([open(id), cancel(id)]);
    // A conflict means that the other one was saved first.
    if (cancelled.status === "rejected") await cancel(id);
    expect(await read(id)).toMatchObject({ status: SessionStatus.CANCELLED });
    await eventually(() =>
      expect(stocktake.recorded.stocktake.of(id).at(-1)?.message?.change.case).toBe("cancelled"),
    );
  }
});

test("register is unavailable while a session is opening: it waits, and then expects the same", async () => {
  const { workspace, create, open, ended } = await setUp();
  const ids = register.setScope(workspace.id, 1_200);
  const { id } = await create();
  let failures = 0;
  register.onPage(async ({ afterId }) => {
    if (afterId !== ids[999] || failures === 3) return;
    failures += 1;
    throw unavailable();
  });
  expect((await open(id)).error).toBeUndefined();
  expect(await ended(id)).toMatchObject({ status: SessionStatus.OPEN, expected: 1_200 });
  expect(failures).toBe(3);
  expect(await expectedIds(workspace, id)).toEqual(ids);
});

test("the record of the scope is deleted while a session is opening: it becomes a draft with an error, and can be opened again", async () => {
  const { workspace, create, open, openFully, ended } = await setUp();
  const scopeId = newId("loc");
  const before = register.setScope(workspace.id, 1_200, scopeId);
  const { id } = await create({ scopeType: ScopeType.LOCATION, scopeId });
  const gate = pageGate(workspace, before[999]);
  const opened = open(id);
  await gate.reached;
  register.removeScope(workspace.id, scopeId);
  gate.go();
  await opened;
  const draft = await ended(id);
  expect(draft).toMatchObject({ status: SessionStatus.DRAFT, expected: 0, error: { code: "NOT_FOUND" } });
  expect(draft.openedAt).toBeUndefined();
  const listed = await sessions.listExpectedAssets({ sessionId: id }, workspace.viewer);
  expect([listed.assets, listed.page?.total]).toEqual([[], 0]);
  register.onPage(async () => undefined);
  const ids = register.setScope(workspace.id, 30, scopeId);
  const again = await openFully(id);
  expect(again).toMatchObject({ status: SessionStatus.OPEN, expected: 30 });
  expect(again.error).toBeUndefined();
  expect(await expectedIds(workspace, id)).toEqual(ids);
});

test("the opening of a disabled workspace waits until it is enabled", async () => {
  const { workspace, create, open, read, ended } = await setUp();
  register.setScope(workspace.id, 1_200);
  const { id } = await create();
  const gate = pageGate(workspace, undefined);
  const opened = open(id);
  await gate.reached;
  const projected = (active: boolean) =>
    eventually(async () => {
      const found = await mongo
        .collection("workspaces")
        .findOne({ _id: workspace.id, workspaceId: workspace.id });
      expect(found).toMatchObject({ active });
    });
  await stocktake.publish(workspaceEvent(workspace.id, 2, { status: WorkspaceStatus.DISABLED }));
  await projected(false);
  gate.go();
  expect(await opened).toMatchObject({ status: SessionStatus.OPENING });
  await eventually(async () => {
    const waiting = { _id: id, workspaceId: workspace.id, "work.attempts": { $gt: 0 } };
    expect(await mongo.collection("sessions").findOne(waiting)).not.toBeNull();
  });
  // On a busy machine the page has timed out at the gate, and is not read again.
  expect([0, 1_000]).toContain((await read(id)).expected);
  await stocktake.publish(workspaceEvent(workspace.id, 3));
  expect(await ended(id)).toMatchObject({ status: SessionStatus.OPEN, expected: 1_200 });
});

test("a killed process: another one continues the opening, and each asset is expected once", async () => {
  const { workspace } = await setUp();
  // The killed process is the only one.
  await stocktake.stopProcess(stocktake.app);
  const child = await stocktake.spawn();
  const callsOf = (process: Pick<typeof stocktake.app, "ports">) =>
    sessionCalls({ sessions: stocktake.client(StocktakeService, "gateway", process) }, workspace);
  const killed = callsOf(child);
  const ids = register.setScope(workspace.id, 1_500);
  const { id } = await killed.create();
  const gate = pageGate(workspace, ids[999]);
  const opened = codeOf(killed.open(id));
  await gate.reached;
  await child.kill();
  // It fails, or has answered 202 already.
  await opened;
  gate.go();
  const left = await mongo.collection("sessions").findOne({ _id: id, workspaceId: workspace.id });
  expect(left).toMatchObject({ status: "opening", progress: { done: 1_000 } });
  await stocktake.expireKilled("sessions");
  const successor = callsOf(await stocktake.start());
  expect(await successor.ended(id)).toMatchObject({ status: SessionStatus.OPEN, expected: 1_500, rev: 3 });
  expect(await expectedIds(workspace, id)).toEqual(ids);
});
