import { connectKafka, createConsumer } from "@asset-register/events";
import { eventually, freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { codeOf, type TestEvent } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { createContext } from "../../src/context.ts";
import { subscriptions } from "../../src/events.ts";
import { makeAsset, makeRecord, seedWorkspace, sharedRegister } from "../support.ts";

const register = await sharedRegister();
const home = await seedWorkspace(register);

type TagEvent = TestEvent<typeof topics.tag.schema>;
type State = {
  assetId?: string;
  type?: TagType;
  code?: string;
  epc?: string;
  boundAt?: typeof boundAt;
};
const at = new Date("2026-03-01T12:00:00.000Z");
const boundAt = timestampFromDate(at);
const actor = { kind: ActorKind.USER, id: "usr_1" };

type Change = NonNullable<TagEvent["message"]>["change"];

function tagEvent(state: State & { id: string; rev: number }, change: Change): TagEvent {
  const { id, rev } = state;
  return {
    ...{ topic: topics.tag, workspaceId: home.id, subject: id, sequence: rev },
    ...{ type: `tag.${change?.case}`, time: new Date(at.getTime() + rev) },
    message: { state: { type: TagType.QR, ...state }, change, actor, requestId: "req_1" },
  };
}
const bound = (id: string, assetId: string, rev = 1, text: State = { code: `QR-${id}` }) =>
  tagEvent({ id, rev, assetId, boundAt, ...text }, { case: "commissioned", value: {} });
const freed = (id: string, assetId: string, rev = 2) =>
  tagEvent({ id, rev, code: `QR-${id}` }, { case: "decommissioned", value: { assetId } });

const read = async (id: string) => (await register.assets.getAsset({ id }, home.admin)).asset!;
const tagIds = async (id: string) => (await read(id)).tags.map((tag) => tag.id);
const found = async (q: string) =>
  (await register.assets.listAssets({ q }, home.admin)).assets.map(({ id }) => id);
const tagHistory = (assetId: string) =>
  register.mongo
    .collection<{ _id: string; workspaceId: string; action: string }>("asset_history")
    .find({ workspaceId: home.id, assetId, action: { $in: ["tagged", "untagged"] } })
    .sort({ _id: 1 })
    .toArray();
/** Events of one topic and workspace may be on several partitions. This one is the last of its tag's. */
async function settled(...events: TagEvent[]): Promise<void> {
  await register.publish(...events);
  await eventually(async () => {
    for (const { subject, sequence, epoch = 0 } of events) {
      const row = await register.mongo
        .collection<{ _id: string; workspaceId: string; sourceEpoch: number; sourceSequence: number }>(
          "asset_tags",
        )
        .findOne({ _id: subject, workspaceId: home.id });
      const [e, s] = [row?.sourceEpoch ?? -1, row?.sourceSequence ?? -1];
      expect(e > epoch || (e === epoch && s >= sequence)).toBe(true);
    }
  });
}

test("an asset shows its tags in single reads and lists, and a search finds it by code and EPC, without a new rev", async () => {
  const id = await makeAsset(register, home, { name: "Ladder" });
  const epc = "3034257BF7194E4000001A85";
  const [qr, rfid] = [newId("tag"), newId("tag")];
  await settled(bound(qr, id, 1, { code: "GATE-77" }), bound(rfid, id, 1, { type: TagType.RFID, epc }));
  const asset = await read(id);
  expect(asset.tags).toMatchObject([
    { id: qr, type: TagType.QR, code: "GATE-77" },
    { id: rfid, type: TagType.RFID, epc },
  ]);
  expect(asset.rev).toBe(1);
  expect(asset.updatedAt).toEqual(asset.createdAt);
  expect(await found("gate-77")).toEqual([id]);
  expect(await found(epc.slice(0, 12))).toEqual([id]);
  const { assets } = await register.assets.listAssets({ q: "ladder" }, home.admin);
  expect(assets[0]?.tags.map((tag) => tag.id)).toEqual([qr, rfid]);
  const locationId = await makeRecord(register, home, { kind: OrganisationKind.LOCATION, name: "Yard" });
  await register.custody.createMovement({ assetId: id, toLocationId: locationId }, home.admin);
  // Only the creation and the movement were published.
  const sequences = () => register.recorded.asset.of(id).map(({ sequence }) => sequence);
  await eventually(() => expect(sequences()).toEqual([1, 2]));
  expect(await tagIds(id)).toEqual([qr, rfid]);

  await settled(freed(qr, id));
  expect(await tagIds(id)).toEqual([rfid]);
  expect(await found("gate-77")).toEqual([]);
  expect(await tagHistory(id)).toMatchObject([
    { action: "tagged" },
    { action: "tagged" },
    {
      ...{ action: "untagged", actor: { kind: "user", id: "usr_1" }, requestId: "req_1" },
      changes: [
        { field: "tag_id", before: qr },
        { field: "code", before: `QR-${qr}` },
      ],
    },
  ]);
});

test("tags of one asset that arrive at once are all in it", async () => {
  const id = await makeAsset(register, home);
  const tags = Array.from({ length: 12 }, () => newId("tag"));
  await settled(...tags.map((tag) => bound(tag, id)));
  expect(await tagIds(id)).toEqual([...tags].sort());
  await settled(...tags.slice(2).map((tag) => freed(tag, id)));
  expect(await tagIds(id)).toEqual(tags.slice(0, 2).sort());
});

test("repeated events and events in reverse order leave the newest state and one history row for each act", async () => {
  const [one, two] = [await makeAsset(register, home), await makeAsset(register, home)];
  const tag = newId("tag");
  const acts = [bound(tag, one, 1), freed(tag, one, 2), bound(tag, two, 3)];
  await settled(...acts.toReversed());
  await settled(...acts, acts[0]!);
  // A republished state has a later epoch, and names no actor.
  await settled({ ...acts[2]!, epoch: 5 });
  // It is the last event of the partition.
  await settled({ ...freed(tag, two, 2), epoch: 4 }, { ...bound(tag, two, 4), epoch: 5 });
  expect([await tagIds(one), await tagIds(two)]).toEqual([[], [tag]]);
  expect((await tagHistory(one)).map(({ action }) => action).sort()).toEqual(["tagged", "untagged"]);
});

test("a tombstone takes the tag from its asset", async () => {
  const id = await makeAsset(register, home);
  const [tag, other] = [newId("tag"), newId("tag")];
  await settled(bound(tag, id), bound(other, id));
  await register.publish({ ...bound(tag, id, 2), message: undefined });
  await eventually(async () => expect(await tagIds(id)).toEqual([other]));
});

test("a change and a tag type of a newer release are projected by their state, without a dead letter", async () => {
  const id = await makeAsset(register, home);
  const [tag, odd] = [newId("tag"), newId("tag")];
  const event = bound(tag, id);
  await settled(
    { ...event, message: { ...event.message!, change: { case: undefined } } },
    bound(odd, id, 1, { type: 99 as TagType, code: "odd" }),
  );
  expect((await read(id)).tags.map(({ type }) => type)).toEqual([TagType.QR, TagType.QR]);
  expect((await tagHistory(id)).length).toBe(1);
  expect(await register.deadLetters.list()).toEqual([]);
});

test("tags and edits of one asset at once: every edit succeeds, and no tag is lost", async () => {
  const id = await makeAsset(register, home);
  const names = ["A", "B", "C", "D"];
  const rooms = await Promise.all(
    names.map((name) => makeRecord(register, home, { kind: OrganisationKind.LOCATION, name })),
  );
  const tags = Array.from({ length: 20 }, () => newId("tag"));
  const moving = (async () => {
    const codes = [];
    for (const [index, toLocationId] of [...rooms, ...rooms].entries()) {
      const ifRevIn = [index + 1];
      codes.push(
        await codeOf(register.custody.createMovement({ assetId: id, toLocationId, ifRevIn }, home.admin)),
      );
    }
    return codes;
  })();
  for (const tag of tags) await register.publish(bound(tag, id));
  expect(await moving).toEqual(Array(8).fill(undefined));
  await eventually(async () => expect(await tagIds(id)).toEqual([...tags].sort()));
  expect(await read(id)).toMatchObject({ rev: 9, locationId: rooms[3] });
  expect(await found(`qr-${tags[19]}`)).toEqual([id]);
});

test("a tag that comes between a read and its change with If-Match does not make the change fail, and stays", async () => {
  const id = await makeAsset(register, home, { name: "Before" });
  const { rev } = await read(id);
  const [first, second] = [newId("tag"), newId("tag")];
  await settled(bound(first, id));
  const change = { asset: { id, name: "After" }, updateMask: { paths: ["name"] }, ifRevIn: [rev] };
  const { asset } = await register.assets.updateAsset(change, home.admin);
  expect(asset).toMatchObject({ name: "After", rev: rev + 1, tags: [{ id: first }] });
  await settled(bound(second, id), freed(first, id));
  expect(await codeOf(register.assets.updateAsset(change, home.admin))).toBe("PRECONDITION_FAILED");
  const later = { ...change, ifRevIn: [rev + 1] };
  expect((await register.assets.updateAsset(later, home.admin)).asset?.tags).toMatchObject([{ id: second }]);
});

test("a new database gets all tags from the compacted topic alone", async () => {
  const id = await makeAsset(register, home);
  const [kept, gone] = [newId("tag"), newId("tag")];
  await settled(bound(kept, id), bound(gone, id), freed(gone, id));
  const logger = createLogger({ service: "test", level: "error" });
  const metrics = createMetrics({ service: "test" });
  const { mongoUrl, kafkaBrokers: brokers } = testServers();
  const mongo = await connectMongo({ url: mongoUrl, database: freshDatabase(), logger });
  type Row = { _id: string; workspaceId: string; tags?: { id: string }[]; tokens?: string[] };
  const row = await register.mongo.collection<Row>("assets").findOne({ _id: id, workspaceId: home.id });
  await mongo.collection<Row>("assets").insertOne({ ...row!, tags: [], tokens: [] });
  const kafka = connectKafka({ brokers, clientId: "new", topicPrefix: register.prefix, logger });
  const base = { mongo, logger, now: () => new Date() } as Parameters<typeof createContext>[0];
  const context = createContext(
    base,
    {} as Parameters<typeof createContext>[1],
    () => ({}) as ReturnType<Parameters<typeof createContext>[2]>,
  );
  const consumer = createConsumer({
    ...{ kafka, group: "new", mongo, logger, metrics },
    subscriptions: subscriptions(context).filter(({ topic }) => topic.name === topics.tag.name),
  });
  await consumer.start();
  await eventually(async () => {
    expect(await consumer.caughtUp()).toBe(true);
    const copy = await mongo.collection<Row>("assets").findOne({ _id: id, workspaceId: home.id });
    expect(copy?.tags?.map((tag) => tag.id)).toEqual([kept]);
    expect(copy?.tokens).toEqual(row?.tokens);
  });
  await consumer.stop();
  await mongo.close();
});
