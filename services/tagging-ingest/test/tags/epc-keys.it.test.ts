import { freshDatabase, testServers } from "@asset-register/harness";
import { connectMongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { createLogger } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { indexes } from "../../migrations/0001-indexes.ts";
import { epcKeys } from "../../migrations/0003-epc-keys.ts";
import { epcIdentity, lookupKeys } from "../../src/domain/tags/tag-identity.ts";

type Row = {
  _id: string;
  workspaceId: string;
  epc?: string;
  code?: string;
  key: string;
  lookupKeys: string[];
};

test("tags that were stored with their filter bits are found without them", async () => {
  const logger = createLogger({ service: "test", level: "silent" });
  const mongo = await connectMongo({ url: testServers().mongoUrl, database: freshDatabase(), logger });
  onTestFinished(() => mongo.close());
  await indexes.up(mongo);
  const tags = systemCollection<Row>(mongo, "tags");
  const stored = (_id: string, epc: string) => ({
    ...{ _id, workspaceId: "wsp_1", epc, key: `epc:${epc}`, lookupKeys: [`epc:${epc}`] },
  });
  const sscc = "3174257BF4499602D2000000";
  const sgln = "3274257BF46072000000162E";
  const withOtherFilter = "3254257BF46072000000162E";
  const raw = "E28011700000020B5F8D1A3C";
  const code = { _id: "tag_5", workspaceId: "wsp_1", code: sscc, key: `code:${sscc}`, lookupKeys: ["old"] };
  await tags.insertMany([
    stored("tag_1", sscc),
    stored("tag_2", sgln),
    stored("tag_3", withOtherFilter),
    stored("tag_4", raw),
    code,
  ]);
  await epcKeys.up(mongo);
  await epcKeys.up(mongo);

  const keyOf = (epc: string) => epcIdentity(epc)?.key;
  const row = (_id: string) => tags.findOne({ _id });
  expect(keyOf(sgln)).toBe(keyOf(withOtherFilter));
  expect(await row("tag_1")).toMatchObject({ key: keyOf(sscc), lookupKeys: [keyOf(sscc)] });
  expect(await row("tag_2")).toMatchObject({ key: keyOf(sgln) });
  // Two tags can't have one key, and both may be bound.
  expect(await row("tag_3")).toEqual(stored("tag_3", withOtherFilter));
  expect(await row("tag_4")).toEqual(stored("tag_4", raw));
  expect(await row("tag_5")).toMatchObject({ key: code.key, lookupKeys: lookupKeys(sscc) });
});
