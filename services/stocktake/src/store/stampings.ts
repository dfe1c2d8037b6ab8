import {
  type ClientSession,
  defineWorkRecords,
  embedded,
  type Mongo,
  type WorkDocument,
} from "@asset-register/mongo";
import type { Stamping } from "../domain/stamping.ts";
import { actorFields } from "./sessions.ts";

export type StampingDocument = WorkDocument<Stamping>;

export const stampingRecords = defineWorkRecords<Stamping>({
  collection: "stampings",
  name: "stamping",
  fields: {
    after: String,
    closedAt: Date,
    by: embedded(actorFields),
  },
  indexes: [],
});

export function createStampingStore(mongo: Mongo) {
  const { insert, toRecord } = stampingRecords.store(mongo);
  return {
    toRecord,
    insert: (workspaceId: string, stamping: Stamping, session: ClientSession): Promise<void> =>
      insert(workspaceId, stamping, session),
  };
}
