import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo, type Mongo } from "@asset-register/mongo";
import { type AssetEvent, AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { defineProjection, type Incoming, type ProjectedState } from "../src/index.ts";
import { logger, state } from "./support.ts";
import { type Thing, thingProjection, thingRecords } from "./things.ts";

let mongo: Mongo;
let store: ReturnType<typeof thingProjection.store>;
let id: string;
let created = 0;

beforeAll(async () => {
  mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  store = thingProjection.store(mongo);
});

beforeEach(() => {
  created += 1;
  id = `thing-${created}`;
});

afterAll(() => mongo?.close());

type Fields = ProjectedState<Thing>["fields"];

const stateOf = (epoch: number | undefined, sequence: number, fields: Fields): ProjectedState<Thing> => ({
  ...{ workspaceId: "wsp_1", id, epoch, sequence, fields },
});

const row = () => store.collection.findOne({ workspaceId: "wsp_1", _id: id });

test("the newest (epoch, sequence) remains, in any order and after any number of repeats", async () => {
  const version = fc.record({
    epoch: fc.integer({ min: 0, max: 3 }),
    sequence: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(version, { minLength: 1, maxLength: 12 }), async (versions) => {
      created += 1;
      id = `thing-${created}`;
      const states = versions.map(({ epoch, sequence }) =>
        stateOf(epoch, sequence, { name: `$${epoch}.${sequence}` }),
      );
      await store.project(states.slice(0, 5));
      await store.project(states.slice(3));
      const newest = versions.reduce((best, next) =>
        next.epoch > best.epoch || (next.epoch === best.epoch && next.sequence > best.sequence) ? next : best,
      );
      expect(await row()).toEqual({
        ...{ _id: id, workspaceId: "wsp_1", name: `$${newest.epoch}.${newest.sequence}` },
        ...{ sourceEpoch: newest.epoch, sourceSequence: newest.sequence },
      });
    }),
    { numRuns: 40 },
  );
});

/** The states of 12 to 30 rows, of which some come again, older or as a removal. */
const crowd = fc.array(
  fc.record({
    thing: fc.integer({ min: 1, max: 20 }),
    epoch: fc.integer({ min: 0, max: 1 }),
    sequence: fc.integer({ min: 1, max: 5 }),
    removed: fc.boolean(),
  }),
  { minLength: 12, maxLength: 60 },
);

test("of many states at once the same rows remain as one by one, new rows and removals among them", async () => {
  await fc.assert(
    fc.asyncProperty(crowd, fc.boolean(), async (versions, inTransaction) => {
      created += 1;
      const statesFor = (set: string): ProjectedState<Thing>[] =>
        versions.map(({ thing, epoch, sequence, removed }) => ({
          ...{ workspaceId: "wsp_1", id: `crowd-${created}-${set}-${thing}`, epoch, sequence },
          fields: removed ? undefined : { name: `${epoch}.${sequence}`, place: undefined },
        }));
      for (const one of statesFor("alone")) await store.project([one]);
      const together = statesFor("together");
      if (inTransaction) await mongo.transaction({}, (session) => store.project(together, session));
      else await store.project(together);
      const rowsOf = async (set: string) => {
        const filter = { workspaceId: "wsp_1", _id: { $regex: `^crowd-${created}-${set}-` } };
        const found = await store.collection.find(filter).sort({ _id: 1 }).toArray();
        return found.map((one) => ({ ...one, _id: one._id.split("-").at(-1) }));
      };
      expect(await rowsOf("together")).toEqual(await rowsOf("alone"));
    }),
    { numRuns: 30 },
  );
});

test("of two consumers that project the same new rows at once, neither fails, and the newest states remain", async () => {
  for (let round = 0; round < 10; round += 1) {
    const states = (sequence: number) =>
      Array.from({ length: 50 }, (_, index) => ({
        ...stateOf(0, sequence, { name: `state ${sequence}` }),
        id: `${id}-${round}-${index}`,
      }));
    await Promise.all([
      store.project(states(1)),
      store.project(states(2)),
      mongo.transaction({}, (session) => store.project(states(3), session)),
    ]);
    const found = await store.getMany(
      "wsp_1",
      states(1).map((one) => one.id),
    );
    expect([...found.values()].map(({ name }) => name)).toEqual(Array(50).fill("state 3"));
  }
});

test("a removal removes an older row, not a newer one", async () => {
  await store.project([stateOf(1, 5, { name: "kept" })]);
  await store.project([stateOf(1, 4, undefined), stateOf(0, 9, undefined)]);
  expect(await store.get("wsp_1", id)).toMatchObject({ name: "kept" });
  await store.project([stateOf(1, 5, undefined)]);
  expect(await row()).toBeNull();
});

test("a field that is undefined is removed, one that is left out keeps its value, and so does a field of other code", async () => {
  await store.project([stateOf(0, 1, { name: "drill", place: "hall" })]);
  await store.collection.updateOne({ workspaceId: "wsp_1", _id: id }, { $set: { touches: 3 } });
  await store.project([stateOf(0, 2, { name: "saw" })]);
  expect(await store.get("wsp_1", id)).toEqual({ id, workspaceId: "wsp_1", name: "saw", place: "hall" });
  await store.project([stateOf(0, 3, { name: "saw", place: undefined })]);
  expect(await store.get("wsp_1", id)).toEqual({ id, workspaceId: "wsp_1", name: "saw" });
  expect(await row()).toMatchObject({ touches: 3 });
});

test("an answer has no epoch: its rev alone decides, and the epoch of the row stays", async () => {
  await store.project([stateOf(undefined, 2, { name: "answered" })]);
  expect(await row()).toMatchObject({ name: "answered", sourceEpoch: 0, sourceSequence: 2 });
  await store.project([stateOf(7, 4, { name: "republished" })]);
  await store.project([stateOf(undefined, 4, { name: "older answer" })]);
  expect(await row()).toMatchObject({ name: "republished", sourceEpoch: 7, sourceSequence: 4 });
  await store.project([stateOf(undefined, 5, { name: "newer answer" })]);
  expect(await row()).toMatchObject({ name: "newer answer", sourceEpoch: 7, sourceSequence: 5 });
});

test("a row that only other code has written is not known, and every state replaces it", async () => {
  const touch = { $inc: { touches: 1 } };
  await store.collection.updateOne({ workspaceId: "wsp_1", _id: id }, touch, { upsert: true });
  expect(await store.get("wsp_1", id)).toBeUndefined();
  expect(await store.getMany("wsp_1", [id])).toEqual(new Map());
  await store.project([stateOf(0, 0, { name: "drill" })]);
  expect(await store.getMany("wsp_1", [id])).toEqual(
    new Map([[id, { id, workspaceId: "wsp_1", name: "drill" }]]),
  );
  expect(await store.get("wsp_2", id)).toBeUndefined();
});

test("a field that the records do not declare is refused", async () => {
  const fields: Fields = { name: "drill" };
  const typo = { ...fields, plaec: "hall" };
  await expect(store.project([stateOf(0, 1, typo)])).rejects.toThrow("has no field plaec");
  expect(await row()).toBeNull();
});

test("in a transaction that is aborted, nothing is projected", async () => {
  const aborted = mongo.transaction({}, async (session) => {
    await store.project([stateOf(0, 1, { name: "drill" })], session);
    throw new Error("the effect fails");
  });
  await expect(aborted).rejects.toThrow("the effect fails");
  expect(await row()).toBeNull();
});

/** The states that a subscription makes of one event. */
async function statesOf(
  projection: Pick<typeof thingProjection, "subscription">,
  message: MessageInitShape<typeof AssetEventSchema> | undefined,
): Promise<ProjectedState<Thing>[]> {
  const event: Incoming<typeof AssetEventSchema> = {
    ...{ id: "msg_1", type: "thing.changed", workspaceId: "wsp_1", subject: id, epoch: 2, sequence: 3 },
    ...{ time: new Date(), publishedAt: new Date(), topic: state.name, partition: 0, offset: "0" },
    message: message && create(AssetEventSchema, message),
  };
  const seen: { states: ProjectedState<Thing>[]; events: readonly { message?: AssetEvent | undefined }[] }[] =
    [];
  const { handle } = projection.subscription(async (states, { events }) => {
    seen.push({ states, events });
  });
  await handle([event], { logger, signal: new AbortController().signal });
  expect(seen[0]?.events).toEqual([event]);
  return seen[0]!.states;
}

test("a state is decoded whatever the change was; a state that the projection does not want and an event without one are left out", async () => {
  const fields = { name: "drill", place: "loc_1" };
  const unknownChange = { state: { id, name: "drill", locationId: "loc_1" } };
  expect(await statesOf(thingProjection, unknownChange)).toEqual([stateOf(2, 3, fields)]);
  expect(await statesOf(thingProjection, { state: { id, name: "" } })).toEqual([]);
  expect(await statesOf(thingProjection, { change: { case: "updated", value: {} } })).toEqual([]);
});

test("a tombstone removes the row, is ignored or sets fields, as declared", async () => {
  const as = (tombstone: "remove" | "ignore" | { place: undefined }) =>
    defineProjection({ topic: state, records: thingRecords, decode: () => undefined, tombstone });
  expect(await statesOf(as("remove"), undefined)).toEqual([stateOf(2, 3, undefined)]);
  expect(await statesOf(as("ignore"), undefined)).toEqual([]);
  expect(await statesOf(as({ place: undefined }), undefined)).toEqual([stateOf(2, 3, { place: undefined })]);
});
