import { testServers } from "@asset-register/harness";
import type { Platform } from "@asset-register/local";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  indexedWhenSharded,
  shardExceptions,
  shardKeyOf,
  shardKindOf,
  undated,
} from "../../deploy/cli/src/shard-keys.ts";
import { joinPlatform } from "./platform.ts";

type Row = { _id: unknown; workspaceId?: unknown };

type Index = {
  name: string;
  key: Record<string, unknown>;
  unique?: boolean;
  sparse?: boolean;
  partialFilterExpression?: object;
};

type Collection = { service: string; name: string; indexes: Index[]; rows: Row[] };

const START_TIMEOUT_MS = 900_000;
/** Rows of each collection whose workspace is checked. */
const SAMPLE = 1_000;

let collections: Collection[] = [];
let client: mongoose.mongo.MongoClient;
let services: Platform["services"];

beforeAll(async () => {
  ({ services } = (await joinPlatform()).platform);
}, START_TIMEOUT_MS);

/** A collection exists when something was written to it. With `-t`, the tests of the matrix do not run. */
const needsMatrix = "The matrix writes to all collections: run the whole file";

const sharded = () =>
  collections.flatMap((collection) => {
    const key = shardKeyOf(collection.service, collection.name);
    return key === undefined
      ? []
      : [{ ...collection, key, title: `${collection.service}.${collection.name}` }];
  });

const beginsWith = (index: Index, key: readonly string[]): boolean =>
  key.every((field, at) => Object.keys(index.key)[at] === field);

// The indexes are those that the migrations of all services have made, and the rows those that every route has written:
// the hook of the describe runs after the tests of the matrix.
describe("each collection can be sharded by its workspace, or is never sharded", () => {
  beforeAll(async () => {
    client = await new mongoose.mongo.MongoClient(testServers().mongoUrl).connect();
    for (const [service, { env }] of Object.entries(services)) {
      const database = client.db(env.MONGO_DATABASE);
      for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
        const rows = database.collection<Row>(name);
        const [indexes, sample] = [await rows.indexes(), await rows.find().limit(SAMPLE).toArray()];
        collections.push({ service, name, indexes: indexes as Index[], rows: sample });
      }
    }
  });
  afterAll(async () => {
    collections = [];
    await client.close();
  });

  it("every unique index begins with the shard key, since MongoDB refuses others", () => {
    const refused = sharded().flatMap(({ title, key, indexes }) =>
      indexes
        .filter((index) => index.unique === true && !beginsWith(index, key))
        .map((index) => `${title}: ${index.name}`),
    );
    expect(refused).toEqual([]);
  });

  it("every shard key has a complete index, or is listed to get one before its collection is sharded", () => {
    const isComplete = (index: Index) => !index.partialFilterExpression && index.sparse !== true;
    const missing = sharded()
      .filter(({ key, indexes }) => !indexes.some((index) => beginsWith(index, key) && isComplete(index)))
      .map(({ service, name }) => `${service}.${undated(name)}`);
    const listed = Object.entries(indexedWhenSharded).flatMap(([service, names]) =>
      names.map((name) => `${service}.${name}`),
    );
    expect([...new Set(missing)].toSorted(), needsMatrix).toEqual(listed.toSorted());
  });

  it("every row of a sharded collection has its workspace in its shard key", () => {
    const inKey = ({ _id, workspaceId }: Row, key: readonly string[]): boolean => {
      if (typeof workspaceId !== "string" || workspaceId === "") return false;
      return key[0] === "workspaceId" || _id === workspaceId || String(_id).startsWith(`${workspaceId}:`);
    };
    const wrong = sharded().flatMap(({ title, key, rows }) =>
      rows.filter((row) => !inKey(row, key)).map(({ _id }) => `${title}: ${_id}`),
    );
    expect(wrong).toEqual([]);
  });

  it("nothing in the table of exceptions is a collection that no service has", () => {
    for (const [service, names] of Object.entries(shardExceptions)) {
      const existing = collections.filter((one) => one.service === service).map(({ name }) => undated(name));
      expect(existing, `${service}. ${needsMatrix}`).toEqual(expect.arrayContaining([...names]));
    }
  });

  it("nothing but identity has a unique index across workspaces", () => {
    const across = collections.filter(
      ({ service, name, indexes }) =>
        service !== "identity" &&
        shardKindOf(service, name) === "never" &&
        indexes.some(({ unique }) => unique === true),
    );
    expect(across.map(({ service, name }) => `${service}.${name}`)).toEqual([]);
  });
});
