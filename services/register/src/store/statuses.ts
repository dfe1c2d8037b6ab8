import type { ClientSession, Index, Mongo } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import { type Status, type StatusClass, seededStatuses } from "../domain/status.ts";

type StatusDocument = {
  _id: string;
  workspaceId: string;
  key: string;
  name: string;
  class: StatusClass;
  is_default: boolean;
  position: number;
};

export type StatusStore = ReturnType<typeof statusStore>;

/** A workspace's statuses, in their order of use. */
export function statusStore(mongo: Mongo) {
  const statuses = mongo.collection<StatusDocument>("statuses");
  return {
    async list(workspaceId: string): Promise<Status[]> {
      const rows = await statuses.find({ workspaceId }).sort({ position: 1 }).toArray();
      return rows.map(fromDocument);
    },

    async get(workspaceId: string, id: string, session?: ClientSession): Promise<Status | undefined> {
      const options = session ? { session } : {};
      const row = await statuses.findOne({ _id: id, workspaceId }, options);
      return row ? fromDocument(row) : undefined;
    },

    async getDefault(workspaceId: string): Promise<Status | undefined> {
      const row = await statuses.findOne({ workspaceId, is_default: true });
      return row ? fromDocument(row) : undefined;
    },

    /** Adds those of the platform's statuses that are missing; many may do it at once, nobody sees some of them only. */
    async seed(workspaceId: string): Promise<void> {
      await mongo.transaction({}, (session) => statuses.bulkWrite(seeds(workspaceId), { session }));
    },
  };
}

function seeds(workspaceId: string) {
  return seededStatuses.map((status, position) => ({
    updateOne: {
      filter: { workspaceId, key: status.key },
      update: {
        $setOnInsert: {
          _id: newId("sta"),
          name: status.name,
          class: status.class,
          is_default: status.isDefault,
          position,
        },
      },
      upsert: true,
    },
  }));
}

function fromDocument(row: StatusDocument): Status {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    key: row.key,
    name: row.name,
    class: row.class,
    isDefault: row.is_default,
  };
}

export const statusIndexes: readonly Index[] = [
  { name: "key", key: { workspaceId: 1, key: 1 }, unique: true },
  { name: "order", key: { workspaceId: 1, position: 1 } },
  {
    name: "default",
    key: { workspaceId: 1, is_default: 1 },
    unique: true,
    partialFilterExpression: { is_default: true },
  },
];
