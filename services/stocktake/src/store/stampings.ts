import { defineWorkRecords, embeddedActor, type Mongo, type WorkDocument } from "@asset-register/mongo";
import type { Stamping } from "../domain/stamping.ts";

export type StampingDocument = WorkDocument<Stamping>;

export const stampingRecords = defineWorkRecords<Stamping>({
  collection: "stampings",
  name: "stamping",
  fields: {
    after: String,
    closedAt: Date,
    by: embeddedActor(),
  },
  indexes: [],
});

export function createStampingStore(mongo: Mongo) {
  const { insert, toRecord } = stampingRecords.store(mongo);
  return {
    toRecord,
    insert,
  };
}
