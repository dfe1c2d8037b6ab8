import type {
  CreateAgentRequest,
  DeleteAgentRequest,
  EnrolAgentRequest,
  SyncAgentRequest,
  UpdateAgentRequest,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import type { AgentFields } from "../domain/agents/agent.ts";
import type { DeleteAgent } from "../operations/agents/delete-agent.ts";
import type { SyncAgent } from "../operations/agents/sync-agent.ts";
import type { UpdateAgent } from "../operations/agents/update-agent.ts";

const agent = z.object({ name: field.text(limits.name), readerIds: field.ids(limits.agentReaders) });

export function decodeCreateAgent(request: CreateAgentRequest): AgentFields {
  return parse(agent, request);
}

const oneAgent = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateAgent({ agent: values, updateMask, ifRevIn }: UpdateAgentRequest): UpdateAgent {
  const { id } = parse(oneAgent, { id: values?.id, ifRevIn });
  return { id, ifRevIn, change: parsePatch(agent, values, updateMask) };
}

export function decodeDeleteAgent(request: DeleteAgentRequest): DeleteAgent {
  return parse(oneAgent, request);
}

const enrolment = z.object({ token: field.text(limits.line) });

export function decodeEnrolAgent(request: EnrolAgentRequest): string {
  return parse(enrolment, request).token;
}

const buffer = z.object({
  rows: z.bigint().max(BigInt(Number.MAX_SAFE_INTEGER), "is too large").transform(Number),
  oldestAt: field.optionalInstant(),
});

const sync = z.object({
  agentId: z.string(),
  timestamp: z.string(),
  nonce: z.string(),
  signature: z.string(),
  bodySha256: z.string(),
  version: field.optionalText(limits.deviceText),
  buffer: buffer.optional(),
});

/** The texts of the signature are compared as they are. */
export function decodeSyncAgent(request: SyncAgentRequest): SyncAgent {
  return parse(sync, request);
}
