import { ensureRecordIndexes, type Migration } from "@asset-register/mongo";
import { ensureTokenIndex } from "../src/store/agents/agent-credentials.ts";
import { agentRecords } from "../src/store/agents/agents.ts";

export const agents: Migration = {
  id: "0009-agents",
  async up(mongo) {
    await ensureRecordIndexes(mongo, agentRecords);
    await ensureTokenIndex(mongo);
  },
};
