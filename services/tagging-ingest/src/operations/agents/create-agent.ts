import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { changesBetween, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import {
  type Agent,
  type AgentFields,
  agentToken,
  agentTokenHash,
  newAgent,
} from "../../domain/agents/agent.ts";
import { auditEntry } from "../../published.ts";
import { holdReaders, requireReaders } from "./hold-readers.ts";

/** An agent, and the token with which it enrols. */
export type AgentAndToken = { agent: Agent; token: string };

/** Adds an agent. Its token leaves this service only in this answer. */
export function createAgent(context: Context, input: AgentFields, call: Call): Promise<AgentAndToken> {
  const { mongo, stores, outbox } = context;
  const { workspaceId } = call;
  const token = agentToken(randomBytes(32));
  const at = context.now();
  return holdReaders(() =>
    mongo.transaction(call, async (session) => {
      const readerIds = await requireReaders(context, workspaceId, { wanted: input.readerIds }, session);
      const fields = { name: input.name, readerIds };
      const agent = newAgent(fields, { id: newId("agt"), workspaceId, at });
      await stores.agents.insert(workspaceId, agent, agentTokenHash(token), session);
      const changes = changesBetween({}, fields);
      await outbox.add(session, auditEntry(call, at, "agent.created", agent.id, changes));
      return { agent, token };
    }),
  );
}

/** Whether a token can still be used, so that a repeat of the creation may answer it again. */
export async function isValidToken(
  { stores, now }: Context,
  id: string,
  token: string,
  { workspaceId }: Pick<Call, "workspaceId">,
): Promise<boolean> {
  const agent = await stores.agents.get(workspaceId, id);
  if (agent?.tokenExpiresAt === undefined || agent.tokenExpiresAt <= now()) return false;
  return (await stores.agents.tokenHashOf(workspaceId, id)) === agentTokenHash(token);
}
