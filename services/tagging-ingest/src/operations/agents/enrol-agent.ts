import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { agentSecret, agentSecretPlace, agentTokenHash } from "../../domain/agents/agent.ts";
import { auditEntry } from "../../published.ts";
import { type AgentAndReaders, readersOfAgent } from "./readers-of-agent.ts";

export type EnrolledAgent = AgentAndReaders & { secret: string };

/**
 * Exchanges a token for a secret of the agent. A token is used once: of two at the same time, one enrols.
 *
 * @throws AppError AGENT_TOKEN_INVALID
 */
export async function enrolAgent(
  context: Context,
  token: string,
  call: Pick<Call, "deadline" | "requestId" | "clientAddress" | "clientRequestId">,
): Promise<EnrolledAgent> {
  const { mongo, stores, keyring, outbox } = context;
  const tokenHash = agentTokenHash(token);
  const place = await stores.agentCredentials.byToken(tokenHash);
  if (place === undefined) throw tokenNotValid();
  const { id, workspaceId } = place;
  const secret = agentSecret(randomBytes(32));
  const sealed = keyring.encrypt(secret, agentSecretPlace(id));
  const { deadline, requestId, clientAddress, clientRequestId } = call;
  const by = {
    ...{ workspaceId, actor: { kind: "service", id: "tagging-ingest" } as const },
    ...{ requestId, clientAddress, clientRequestId },
  };
  const workspace = await stores.workspaces.get(workspaceId);
  return mongo.transaction({ deadline }, async (session) => {
    const at = context.now();
    const before = await stores.agents.get(workspaceId, id, session);
    const isValid = before?.tokenExpiresAt !== undefined && before.tokenExpiresAt > at;
    if (!isValid || workspace?.active === false) throw tokenNotValid();
    const agent = await stores.agents.enrol(workspaceId, { id, tokenHash, secret: sealed, at }, session);
    if (agent === undefined) throw tokenNotValid();
    await outbox.add(session, auditEntry(by, at, "agent.enrolled", id));
    return { agent, secret, readers: await readersOfAgent(context, agent, session) };
  });
}

const tokenNotValid = () =>
  unauthenticated("The token is unknown, used or expired. Create the agent again.", "AGENT_TOKEN_INVALID");
