import { defineWorkRecords, embeddedActor, type Mongo, type WorkDocument } from "@asset-register/mongo";
import type { ResolutionWork } from "../domain/resolution.ts";

export type ResolutionDocument = WorkDocument<ResolutionWork>;

/** A long work of its own: a million variances need no fields and no index for it. */
export const resolutionRecords = defineWorkRecords<ResolutionWork>({
  collection: "resolutions",
  name: "resolution",
  fields: {
    sessionId: String,
    sessionName: String,
    varianceId: String,
    varianceRev: Number,
    resolution: String,
    by: embeddedActor(),
    seenUntil: Date,
  },
  indexes: [{ name: "waiting", key: { workspaceId: 1, sessionId: 1, status: 1 } }],
});

/** Resolutions of a session that one step of a reconcile finishes. */
const FINISHED = 20;

export function createResolutionStore(mongo: Mongo) {
  const { find, insert, toRecord } = resolutionRecords.store(mongo);
  return {
    toRecord,
    insert,

    /** Resolutions of a session that register has not had yet. */
    async waitingIds(workspaceId: string, sessionId: string): Promise<string[]> {
      const filter = { sessionId, status: "resolving" as const };
      return (await find(workspaceId, filter, { limit: FINISHED })).map(({ id }) => id);
    },
  };
}
