import { type ClientSession, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Movement } from "../../domain/custody/movement.ts";
import { firstOfEach } from "../assets/first-of-each.ts";

export const movementRecords = defineRecords<Movement>({
  collection: "movements",
  name: "movement",
  fields: {
    assetId: String,
    fromLocationId: String,
    fromCustodianId: String,
    toLocationId: String,
    toCustodianId: String,
    reason: String,
    ref: String,
    note: String,
    at: Date,
    by: embeddedActor(),
    sequence: Number,
    causeId: String,
  },
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    {
      name: "cause",
      key: { workspaceId: 1, causeId: 1 },
      unique: true,
      partialFilterExpression: { causeId: { $exists: true } },
    },
    // The movements of a day with their assets, for values over time.
    { name: "day", key: { workspaceId: 1, at: 1, _id: 1, assetId: 1 } },
    // The order of an asset's movements, for its place at an instant.
    { name: "at", key: { workspaceId: 1, assetId: 1, at: 1, _id: 1 } },
  ],
});

/** Movements: append-only. */
export function createMovementStore(mongo: Mongo) {
  const { collection, get, insertMany, findOne, list, toRecord } = movementRecords.store(mongo);
  return {
    insertMany,
    get,

    /** The movement of an effect. */
    getByCause: (
      workspaceId: string,
      causeId: string,
      session: ClientSession,
    ): Promise<Movement | undefined> => findOne(workspaceId, { causeId }, session),

    /** Of each asset the last movement at or before an instant. */
    async lastAt(
      workspaceId: string,
      assetIds: readonly string[],
      at: Date,
      session?: ClientSession,
    ): Promise<Movement[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, at: { $lte: at } };
      return (await firstOfEach(collection, match, -1, { session })).map(toRecord);
    },

    /** Of each asset the first movement after an instant. */
    async firstAfter(
      workspaceId: string,
      assetIds: readonly string[],
      at: Date,
      session?: ClientSession,
    ): Promise<Movement[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, at: { $gt: at } };
      return (await firstOfEach(collection, match, 1, { session })).map(toRecord);
    },

    /** Movements within a time, both ends included, in order of (asset, at, id); without notes. */
    async within(
      workspaceId: string,
      assetIds: readonly string[],
      { since, until }: { since: Date; until: Date },
      limit: number,
      session: ClientSession,
    ): Promise<Movement[]> {
      const found = collection.find(
        { workspaceId, assetId: { $in: [...assetIds] }, at: { $gte: since, $lte: until } },
        { session, limit, sort: { assetId: 1, at: 1, _id: 1 }, projection: { note: 0 } },
      );
      return (await found.toArray()).map(toRecord);
    },

    list: (
      workspaceId: string,
      filter: { assetId?: string | undefined },
      page: PageQuery,
    ): Promise<Page<Movement>> => list(workspaceId, page, { filter }),
  };
}
