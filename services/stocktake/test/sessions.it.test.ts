import { eventually } from "@asset-register/harness";
import { ScopeType } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { SessionStatus } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { newId } from "@asset-register/runtime";
import { afterAll, expect, test } from "vitest";
import { newWorkspace, sessionCalls, startStocktake } from "./support.ts";

const stocktake = await startStocktake();
const { register, sessions, recorded } = stocktake;
afterAll(() => stocktake.stop());

async function setUp() {
  const workspace = await newWorkspace(stocktake);
  return { workspace, ...sessionCalls(stocktake, workspace) };
}

test("a session is created as a draft, and opened with the assets of its scope", async () => {
  const { workspace, create, open, read } = await setUp();
  const scopeId = newId("loc");
  const ids = register.setScope(workspace.id, 3, scopeId);
  const draft = await create({ name: " Spring ", scopeType: ScopeType.LOCATION, scopeId });
  expect(draft).toMatchObject({ name: "Spring", status: SessionStatus.DRAFT, expected: 0, rev: 1, scopeId });
  const opened = await open(draft.id);
  expect(opened).toMatchObject({
    ...{ status: SessionStatus.OPEN, expected: 3, rev: 3, stale: false },
    progress: { done: 3, total: 3 },
  });
  expect(opened.openedAt).toBeDefined();
  expect(await read(draft.id)).toEqual(opened);
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
