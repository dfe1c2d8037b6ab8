import {
  AgentService,
  AgentSyncService,
  type CreateAgentResponse,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import {
  type Call,
  command,
  type Implementation,
  implement,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateAgent,
  decodeDeleteAgent,
  decodeEnrolAgent,
  decodeSyncAgent,
  decodeUpdateAgent,
} from "../decode/agent.ts";
import { encodeAgent, encodeAgentReader } from "../encode/agent.ts";
import { createAgent, isValidToken } from "../operations/agents/create-agent.ts";
import { deleteAgent } from "../operations/agents/delete-agent.ts";
import { enrolAgent } from "../operations/agents/enrol-agent.ts";
import { syncAgent } from "../operations/agents/sync-agent.ts";
import { updateAgent } from "../operations/agents/update-agent.ts";

export function agentService(context: Context): Implementation {
  const { stores } = context;
  return implement(AgentService, {
    createAgent: command(
      decodeCreateAgent,
      (input, call) => createAgent(context, input, call),
      ({ agent, token }) => ({ agent: encodeAgent(agent), token }),
      {
        isSecretValid: ({ agent, token }: CreateAgentResponse, call: Call) =>
          isValidToken(context, agent?.id ?? "", token, call),
      },
    ),

    updateAgent: command(
      decodeUpdateAgent,
      (input, call) => updateAgent(context, input, call),
      (agent) => ({ agent: encodeAgent(agent) }),
    ),

    deleteAgent: command(
      decodeDeleteAgent,
      (input, call) => deleteAgent(context, input, call),
      () => ({}),
    ),

    async getAgent({ id }, { workspaceId }) {
      return { agent: encodeAgent(requireFound(await stores.agents.get(workspaceId, id), "agent")) };
    },

    async listAgents(request, { workspaceId }) {
      const found = await stores.agents.list(workspaceId, pageRequest(request.page));
      return { agents: found.items.map(encodeAgent), page: pageInfo(found) };
    },
  });
}

/** Agents call these without a user. They take no Idempotency-Key: a token and a nonce work once. */
export function agentSyncService(context: Context): Implementation {
  return implement(AgentSyncService, {
    async enrolAgent(request, call) {
      const { agent, secret, readers } = await enrolAgent(context, decodeEnrolAgent(request), call);
      return { agent: encodeAgent(agent), secret, readers: readers.map(encodeAgentReader) };
    },

    async syncAgent(request, call) {
      const { agent, readers } = await syncAgent(context, decodeSyncAgent(request), call);
      return { agent: encodeAgent(agent), readers: readers.map(encodeAgentReader) };
    },
  });
}
