import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { changedMeanwhile, type Sealed } from "@asset-register/runtime";
import { type Agent, reportedFields } from "../../domain/agents/agent.ts";
import type { UsedNonce } from "../../domain/agents/sync.ts";

/** Fields that never leave this service: the hash of the token until it is used, and the secret afterwards. */
type AgentCredentials = { tokenHash?: string; secret?: Sealed; nonces?: UsedNonce[] };

/** An agent as its own calls need it. */
export type AgentWithSecret = { agent: Agent; secret?: Sealed | undefined; nonces: readonly UsedNonce[] };

/** The unique index that a reader of two agents would violate. */
export const AGENT_OF_READER = "reader";

export const agentRecords = defineRecords<Agent, AgentCredentials>({
  collection: "agents",
  name: "agent",
  fields: {
    name: String,
    readerIds: [String],
    createdAt: Date,
    rev: Number,
    enrolledAt: Date,
    tokenExpiresAt: Date,
    lastSeenAt: Date,
    version: String,
    buffer: embedded({ rows: Number, oldestAt: Date }),
  },
  beside: {
    tokenHash: String,
    secret: embedded({ keyId: String, nonce: Buffer, data: Buffer }),
    nonces: [embedded({ nonce: String, at: Date })],
  },
  observed: reportedFields,
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    {
      name: AGENT_OF_READER,
      key: { workspaceId: 1, readerIds: 1 },
      unique: true,
      // Agents without readers would all have the same key.
      partialFilterExpression: { "readerIds.0": { $exists: true } },
    },
  ],
});

export function createAgentStore(mongo: Mongo) {
  const { collection, model, get, insert, save, list, toRecord } = agentRecords.store(mongo);
  return {
    get,
    save,
    list: (workspaceId: string, page: PageQuery): Promise<Page<Agent>> => list(workspaceId, page),

    insert: (workspaceId: string, agent: Agent, tokenHash: string, session: ClientSession): Promise<void> =>
      insert(workspaceId, agent, session, { tokenHash }),

    /** The hash of the token that the agent can enrol with. */
    async tokenHashOf(workspaceId: string, id: string): Promise<string | undefined> {
      const found = await collection.findOne({ workspaceId, _id: id }, { projection: { tokenHash: 1 } });
      return found?.tokenHash;
    },

    async getWithSecret(
      workspaceId: string,
      id: string,
      session: ClientSession,
    ): Promise<AgentWithSecret | undefined> {
      const found = await collection.findOne({ workspaceId, _id: id }, { session });
      if (found === null) return undefined;
      return { agent: toRecord(found), secret: found.secret, nonces: found.nonces ?? [] };
    },

    /** Uses a token up. Returns the agent, or undefined when the token was used already. */
    async enrol(
      workspaceId: string,
      { id, tokenHash, secret, at }: { id: string; tokenHash: string; secret: Sealed; at: Date },
      session: ClientSession,
    ): Promise<Agent | undefined> {
      const used = await model.updateOne(
        { workspaceId, _id: id, tokenHash },
        {
          $set: { secret, enrolledAt: at, lastSeenAt: at },
          $unset: { tokenHash: 1, tokenExpiresAt: 1 },
          $inc: { rev: 1 },
        },
        { session },
      );
      return used.modifiedCount === 1 ? get(workspaceId, id, session) : undefined;
    },

    /** Stores the reported fields and the nonces of an agent that is read in the same transaction. */
    async report(
      workspaceId: string,
      { id, version, buffer, lastSeenAt }: Agent,
      nonces: readonly UsedNonce[],
      session: ClientSession,
    ): Promise<void> {
      const set = { nonces: [...nonces], version, buffer, lastSeenAt };
      await model.updateOne({ workspaceId, _id: id }, { $set: set }, { session });
    },

    /** @throws AppError CONFLICT if the agent was changed since it was at `rev` */
    async remove(workspaceId: string, { id, rev }: Agent, session: ClientSession): Promise<void> {
      const { deletedCount } = await model.deleteOne({ workspaceId, _id: id, rev }, { session });
      if (deletedCount === 0) throw changedMeanwhile("agent");
    },
  };
}
