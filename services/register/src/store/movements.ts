import { createRecordStore, definedOnly, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Movement } from "../domain/movement.ts";
import { firstOfEach } from "./first-of-each.ts";
import { actorFields } from "./history.ts";

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
    by: embedded(actorFields),
    sequence: Number,
  },
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    // The order of an asset's movements, for its place at an instant.
    { name: "at", key: { workspaceId: 1, assetId: 1, at: 1, _id: 1 } },
  ],
});

/** Movements: append-only. */
export function createMovementStore(mongo: Mongo) {
  const { collection, insert, findOne, list, toRecord } = createRecordStore(mongo, movementRecords);
  return {
    insert,

    get: (workspaceId: string, id: string): Promise<Movement | undefined> =>
      findOne(workspaceId, { _id: id }),

    /** Of each asset the last movement at or before an instant. */
    async lastAt(workspaceId: string, assetIds: string[], at: Date): Promise<Movement[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, at: { $lte: at } };
      return (await firstOfEach(collection, match, -1)).map(toRecord);
    },

    /** Of each asset the first movement after an instant. */
    async firstAfter(workspaceId: string, assetIds: string[], at: Date): Promise<Movement[]> {
      const match = { workspaceId, assetId: { $in: assetIds }, at: { $gt: at } };
      return (await firstOfEach(collection, match, 1)).map(toRecord);
    },

    list: (
      workspaceId: string,
      filter: { assetId?: string | undefined },
      page: PageQuery,
    ): Promise<Page<Movement>> => list(workspaceId, page, { filter: definedOnly(filter) }),
  };
}
