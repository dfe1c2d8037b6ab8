import { eventually } from "@asset-register/harness";
import { ReaderKind, ReaderStatus } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { newId } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sweepPortals } from "../../src/operations/sweeps/sweep-portals.ts";
import { FIRST_PORTAL } from "../../src/store/projections/offline-readers.ts";
import { receiverPool, subscribe } from "../delivering.ts";
import { livenessEvent, readerEvent } from "../events.ts";
import { newWorkspace, startNotification, type Workspace } from "../support.ts";
import { readAll } from "./feeding.ts";

const MINUTE = 60_000;
let ahead = 0;
const now = (): Date => new Date(Date.now() + ahead);

const service = await startNotification({ now });
const receivers = receiverPool();
afterAll(async () => {
  await receivers.stop();
  await service.stop();
});
// Portals of the tests before have become offline.
beforeEach(() => {
  ahead += 60 * MINUTE;
});

const heard = ({ workspaceId }: Workspace, id: string) => livenessEvent(workspaceId, id, now());
const entriesOf = async ({ asProgram }: Workspace) =>
  (await readAll(service, asProgram)).map(({ type, data }) => [type, JSON.parse(data).reader_id]);
const stateOf = ({ workspaceId }: Workspace, _id: string) =>
  service.mongo.collection("reader_states").findOne({ workspaceId, _id });

async function portal(workspace: Workspace, fields: { kind?: ReaderKind; status?: ReaderStatus } = {}) {
  const id = newId("rdr");
  await service.publish(readerEvent(workspace.workspaceId, { id, zoneId: "zon_1", ...fields }));
  await service.publish(heard(workspace, id));
  await eventually(async () =>
    expect(await stateOf(workspace, id)).toMatchObject({
      ...{ kind: expect.any(String), lastSeenAt: expect.any(Date) },
    }),
  );
  return id;
}

test("a portal that is not heard for 5 minutes and 70 s is reported offline once, and online by its next read; webhooks get the same", async () => {
  const workspace = newWorkspace();
  const target = await receivers.start();
  await subscribe(service, workspace, target.url, ["reader.online", "reader.offline"]);
  const id = await portal(workspace);
  const phone = await portal(workspace, { kind: ReaderKind.PHONE });
  const revoked = await portal(workspace, { status: ReaderStatus.REVOKED });

  ahead += 6 * MINUTE;
  await sweepPortals({ ...service.context, now }, new AbortController().signal);
  expect(await entriesOf(workspace)).toEqual([]);
  ahead += MINUTE;
  await eventually(async () => expect(await entriesOf(workspace)).toEqual([["reader.offline", id]]));
  await service.publish(heard(workspace, id), heard(workspace, phone), heard(workspace, revoked));
  await eventually(async () =>
    expect(await entriesOf(workspace)).toEqual([
      ["reader.offline", id],
      ["reader.online", id],
    ]),
  );
  // A portal that is online gives no more entries.
  await service.publish(heard(workspace, id));
  ahead += 7 * MINUTE;
  await eventually(async () => expect(await entriesOf(workspace)).toHaveLength(3));

  const entries = await readAll(service, workspace.asProgram);
  const data = entries.map((entry) => JSON.parse(entry.data));
  for (const one of data) expect(one).toMatchObject({ reader_id: id, zone_id: "zon_1" });
  expect(data[0].last_seen_at < data[1].last_seen_at).toBe(true);
  const sequences = data.map(({ seq }) => seq);
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  expect(new Set(sequences).size).toBe(3);
  await eventually(() => {
    const sent = target.received.map(({ body }) => body.id).toSorted();
    expect(sent).toEqual(entries.map((entry) => entry.id).toSorted());
  });
});

test("two sweeps at once report a portal once; a sign of life of long ago does not bring it online", async () => {
  const workspace = newWorkspace();
  const id = await portal(workspace);
  const before = now();
  ahead += 20 * MINUTE;
  const context = { ...service.context, now };
  const { signal } = new AbortController();
  await Promise.all([1, 2, 3].map(() => sweepPortals(context, signal)));
  await eventually(async () => expect(await entriesOf(workspace)).toEqual([["reader.offline", id]]));
  const late = new Date(before.getTime() + MINUTE);
  await service.publish(livenessEvent(workspace.workspaceId, id, late));
  await eventually(async () => expect(await stateOf(workspace, id)).toMatchObject({ lastSeenAt: late }));
  await service.publish(heard(workspace, id));
  await eventually(async () =>
    expect(await entriesOf(workspace)).toEqual([
      ["reader.offline", id],
      ["reader.online", id],
    ]),
  );
});

test("a portal that was heard last more than 30 days ago is no news, and its next read is", async () => {
  const workspace = newWorkspace();
  const { workspaceId } = workspace;
  const id = newId("rdr");
  const lastSeenAt = new Date(now().getTime() - 31 * 24 * 60 * MINUTE);
  await service.publish(readerEvent(workspaceId, { id, lastSeenAt: timestampFromDate(lastSeenAt) }));
  await eventually(async () =>
    expect(await stateOf(workspace, id)).toMatchObject({ offlineSince: lastSeenAt }),
  );
  expect(await entriesOf(workspace)).toEqual([]);
  await service.publish(heard(workspace, id));
  await eventually(async () => expect(await entriesOf(workspace)).toEqual([["reader.online", id]]));
});

test("nothing is reported while the consumers are behind", async () => {
  const workspace = newWorkspace();
  const id = await portal(workspace);
  const context = { ...service.context, lag: { isBehind: async () => true } };
  const later = () => new Date(now().getTime() + 20 * MINUTE);
  await sweepPortals({ ...context, now: later }, new AbortController().signal);
  expect(await stateOf(workspace, id)).not.toHaveProperty("offlineSince");
  expect(await entriesOf(workspace)).toEqual([]);
});

test("the sweep reads silent portals by an index, however many are online", async () => {
  const { workspaceId } = newWorkspace();
  const rows = service.mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>(
    "reader_states",
  );
  const portals = Array.from({ length: 1000 }, () => ({
    ...{ _id: newId("rdr"), workspaceId, kind: "fixed_portal", active: true, lastSeenAt: now() },
  }));
  await rows.insertMany(portals);
  const until = new Date(now().getTime() - 7 * MINUTE);
  const plan = await service.context.stores.offlineReaders.explain(until, FIRST_PORTAL, 500);
  expect(plan.executionStats.totalDocsExamined).toBe(plan.executionStats.nReturned);
  expect(plan.executionStats.totalKeysExamined).toBeLessThan(50);
  expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
});
