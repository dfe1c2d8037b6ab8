import { randomBytes } from "node:crypto";
import type { Call } from "@asset-register/rpc";
import { conflict, exhausted, unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Agent, agentSecretPlace } from "../../domain/agents/agent.ts";
import { withNonce } from "../../domain/agents/sync.ts";
import { batchDigest, signingKey, syncText, verifies } from "../../domain/ingest/signing.ts";
import type { AgentWithSecret } from "../../store/agents/agents.ts";
import { refusalOfHeaders } from "../ingest/ingest-answer.ts";
import { type AgentAndReaders, readersOfAgent } from "./readers-of-agent.ts";

export type SyncAgent = Pick<Agent, "version" | "buffer"> & {
  agentId: string;
  /** Seconds, as signed. */
  timestamp: string;
  nonce: string;
  signature: string;
  bodySha256: string;
};

const RETRY_MS = 60_000;

/**
 * Stores what an agent reports, and answers its readers with their present secrets: so a rotation needs no visit.
 *
 * @throws AppError READER_TIMESTAMP_OUT_OF_RANGE, VALIDATION_FAILED, AGENT_SIGNATURE_INVALID, NONCE_REUSED, RATE_LIMITED
 */
export async function syncAgent(
  context: Context,
  input: SyncAgent,
  { deadline }: Pick<Call, "deadline">,
): Promise<AgentAndReaders> {
  const { mongo, stores } = context;
  const { agentId, nonce, version, buffer } = input;
  const refusal = refusalOfHeaders(input, context.now().getTime(), "X-Agent-Nonce");
  if (refusal !== undefined) throw refusal;
  const place = await stores.agentCredentials.byId(agentId);
  if (place === undefined) {
    // An unknown agent costs the same as a wrong signature.
    isSigned(context, input, undefined);
    throw notSigned();
  }
  const { workspaceId } = place;
  const workspace = await stores.workspaces.get(workspaceId);
  return mongo.transaction({ deadline }, async (session) => {
    const at = context.now();
    const found = await stores.agents.getWithSecret(workspaceId, agentId, session);
    const known = workspace?.active === false ? undefined : found;
    if (!isSigned(context, input, known) || known === undefined) throw notSigned();
    const nonces = withNonce(known.nonces, nonce, at);
    if (nonces === "reused") throw nonceReused();
    if (nonces === "too_many") throw exhausted("The agent syncs too often. Retry later.", RETRY_MS);
    const agent = { ...known.agent, version, buffer, lastSeenAt: at };
    await stores.agents.report(workspaceId, agent, nonces, session);
    return { agent, readers: await readersOfAgent(context, agent, session) };
  });
}

function isSigned(
  { keyring }: Context,
  { agentId, timestamp, nonce, bodySha256, signature }: SyncAgent,
  known: AgentWithSecret | undefined,
): boolean {
  const secret = known?.secret && keyring.decrypt(known.secret, agentSecretPlace(agentId)).toString("utf8");
  const text = syncText(agentId, timestamp, nonce, bodySha256);
  const dummy = signingKey(randomBytes(32).toString("hex"));
  return verifies(secret === undefined ? [] : [signingKey(secret)], dummy, text, batchDigest(signature));
}

const nonceReused = () =>
  conflict("NONCE_REUSED", "The agent has already used this nonce.", [
    { field: "nonce", message: "was used before" },
  ]);

const notSigned = () => unauthenticated("The agent's signature is not valid.", "AGENT_SIGNATURE_INVALID");
