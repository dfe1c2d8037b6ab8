import type { ClientSession, Index, Mongo, TenantDocument } from "@asset-register/mongo";
import type { SubjectState } from "../../domain/backtests/ring.ts";

type SubjectDocument = TenantDocument & SubjectState & { backtestId: string; expiresAt: Date };

type Of = { id: string; workspaceId: string; expiresAt: Date };

export const backtestSubjects: { collection: string; indexes: readonly Index[] } = {
  collection: "backtest_subjects",
  indexes: [{ name: "most", key: { workspaceId: 1, backtestId: 1, alerts: -1 } }],
};

/** How a backtest's rule stands for each subject that it has something to keep of, until the backtest expires. */
export function createBacktestSubjectStore(mongo: Mongo) {
  const collection = mongo.collection<SubjectDocument>(backtestSubjects.collection);
  const idOf = (backtestId: string, subject: string): string => `${backtestId}:${subject}`;
  const toState = ({
    _id,
    workspaceId: _,
    backtestId: __,
    expiresAt: ___,
    ...state
  }: SubjectDocument): SubjectState => state;
  return {
    async getMany({ id, workspaceId }: Of, subjects: readonly string[]): Promise<Map<string, SubjectState>> {
      const ids = subjects.map((subject) => idOf(id, subject));
      const found = await collection.find({ workspaceId, _id: { $in: ids } }).toArray();
      return new Map(found.map((row) => [row.subject, toState(row)]));
    },

    /** Subjects after one, in order. */
    async list({ id, workspaceId }: Of, after: string, limit: number): Promise<SubjectState[]> {
      const ids = { $gt: idOf(id, after), $lt: `${id};` };
      const found = await collection.find({ workspaceId, _id: ids }).sort({ _id: 1 }).limit(limit).toArray();
      return found.map(toState);
    },

    /** Those with the most alerts. */
    async listMost(
      { id, workspaceId }: Of,
      limit: number,
      session: ClientSession,
    ): Promise<Pick<SubjectState, "subject" | "assetId" | "alerts">[]> {
      const found = await collection
        .find({ workspaceId, backtestId: id, alerts: { $gt: 0 } }, { session })
        .sort({ alerts: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ subject, assetId, alerts }) => ({ subject, assetId, alerts }));
    },

    async saveMany(
      { id, workspaceId, expiresAt }: Of,
      states: readonly SubjectState[],
      session: ClientSession,
    ): Promise<void> {
      if (states.length === 0) return;
      const writes = states.map((state) => ({
        replaceOne: {
          filter: { workspaceId, _id: idOf(id, state.subject) },
          replacement: { ...state, workspaceId, backtestId: id, expiresAt },
          upsert: true,
        },
      }));
      await collection.bulkWrite(writes, { session, ordered: false, ignoreUndefined: true });
    },
  };
}
