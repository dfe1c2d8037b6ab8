import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import { createLogger, newId } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createWorkspaceStore,
  requireWorkspace,
  type WorkspaceStore,
  workspaceProjection,
} from "../src/index.ts";

let mongo: Mongo;
let workspaces: WorkspaceStore;

beforeAll(async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  workspaces = createWorkspaceStore(mongo);
});

afterAll(() => mongo?.close());

const settings = { timeZone: "UTC", currency: "EUR", numberPrefix: "AST-", fiscalYearStart: 1 };

/** Stores a row as an earlier release did. */
async function earlierRow(fields: { active: boolean } | { disabled: boolean }): Promise<string> {
  const id = newId("wsp");
  const { collection } = workspaceProjection.store(mongo);
  const row = { _id: id, workspaceId: id, enterprise: false, ...settings, ...fields };
  await collection.insertOne({ ...row, sourceEpoch: 0, sourceSequence: 1 });
  return id;
}

test("rows of earlier releases are read: services stored either active or disabled", async () => {
  for (const active of [true, false]) {
    for (const fields of [{ active }, { disabled: !active }]) {
      const id = await earlierRow(fields);
      expect(await workspaces.get(id)).toEqual({
        id,
        workspaceId: id,
        enterprise: false,
        ...settings,
        active,
      });
    }
  }
});

test("a release from before finds both active and disabled in a row that a new state has written", async () => {
  const id = await earlierRow({ disabled: false });
  const fields = { active: false, disabled: true, enterprise: true, ...settings };
  await workspaces.project([{ workspaceId: id, id, epoch: 0, sequence: 2, fields }]);
  const { collection } = workspaceProjection.store(mongo);
  expect(await collection.findOne({ workspaceId: id, _id: id })).toMatchObject({
    active: false,
    disabled: true,
  });
});

test("a call of an unknown workspace is UNAVAILABLE, one of a disabled or removed workspace FORBIDDEN", async () => {
  const context = { stores: { workspaces } };
  await expect(requireWorkspace(context, newId("wsp"))).rejects.toMatchObject({ kind: "unavailable" });
  const id = await earlierRow({ active: true });
  expect(await requireWorkspace(context, id)).toMatchObject({ currency: "EUR" });
  const tombstone = { id: "msg_1", type: "t", workspaceId: id, subject: id, epoch: 0, sequence: 2 };
  const record = { time: new Date(), publishedAt: new Date(), topic: "t", partition: 0, offset: "0" };
  const { handle } = workspaceProjection.subscription((states) => workspaces.project(states));
  const logger = createLogger({ service: "test", level: "silent" });
  const { signal } = new AbortController();
  await handle([{ ...tombstone, ...record, message: undefined }], { logger, signal });
  await expect(requireWorkspace(context, id)).rejects.toMatchObject({ kind: "forbidden" });
});
