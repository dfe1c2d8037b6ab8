import type { Mongo } from "@asset-register/mongo";
import { ensureSystemIndexes, systemCollection } from "@asset-register/mongo/system";
import { agentRecords } from "./agents.ts";

type Row = { _id: string; workspaceId: string; tokenHash?: string };

/** Where an agent is stored. */
export type AgentPlace = { id: string; workspaceId: string };

/** Looks agents up by what they send: neither a token nor an agent names its workspace. */
export function createAgentCredentials(mongo: Mongo) {
  const agents = systemCollection<Row>(mongo, agentRecords.collection);
  const projection = { workspaceId: 1 };
  const placeOf = (row: Row | null): AgentPlace | undefined =>
    row === null ? undefined : { id: row._id, workspaceId: row.workspaceId };
  return {
    byToken: async (tokenHash: string): Promise<AgentPlace | undefined> =>
      placeOf(await agents.findOne({ tokenHash }, { projection })),

    byId: async (id: string): Promise<AgentPlace | undefined> =>
      placeOf(await agents.findOne({ _id: id }, { projection })),
  };
}

export const ensureTokenIndex = (mongo: Mongo): Promise<void> =>
  ensureSystemIndexes(mongo, agentRecords.collection, [
    {
      name: "token",
      key: { tokenHash: 1 },
      partialFilterExpression: { tokenHash: { $exists: true } },
    },
  ]);
