import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  embedded,
  type Mongo,
  type RecordDocument,
  type WorkRecord,
} from "@asset-register/mongo";
import type { Stamping } from "../domain/stamping.ts";
import { actorFields } from "./sessions.ts";

type Work = { work?: WorkRecord["work"] };
export type StampingDocument = RecordDocument<Stamping, Work>;

export const stampingRecords = defineRecords<Stamping, Work>({
  collection: "stampings",
  name: "stamping",
  fields: {
    status: String,
    progress: embedded({ done: Number, total: Number }),
    after: String,
    closedAt: Date,
    by: embedded(actorFields),
  },
  beside: { work: Object },
  indexes: [],
});

export function createStampingStore(mongo: Mongo) {
  const { insert, toRecord } = createRecordStore(mongo, stampingRecords);
  return {
    toRecord,
    insert: (workspaceId: string, stamping: Stamping, session: ClientSession): Promise<void> =>
      insert(workspaceId, stamping, session),
  };
}
