import { AgentService } from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { agent, agentPatch, agentWithTokenSchema, newAgentSchema, toNewAgent } from "../resources/agent.ts";
import type { Surface } from "../surface.ts";

/** Agents send the reads of readers that can't sign. */
export const agents: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, patch, remove } = writeRoutes(app, clients, "b");

  list("/agents", {
    summary: "List agents",
    access: { capability: "devices" },
    rpc: AgentService.method.listAgents,
    record: agent,
  });

  create("/agents", {
    summary: "Add an agent",
    access: { capability: "devices" },
    rpc: AgentService.method.createAgent,
    record: agent,
    body: newAgentSchema,
    toRequest: toNewAgent,
    beside: { schema: agentWithTokenSchema, present: ({ token }) => ({ token }) },
  });

  get("/agents/:id", {
    summary: "Retrieve one agent",
    access: { capability: "devices" },
    rpc: AgentService.method.getAgent,
    record: agent,
  });

  patch("/agents/:id", {
    summary: "Change an agent",
    access: { capability: "devices" },
    rpc: AgentService.method.updateAgent,
    record: agent,
    patch: agentPatch,
  });

  remove("/agents/:id", {
    summary: "Remove an agent; rotate the secrets of its readers afterwards",
    access: { capability: "devices" },
    rpc: AgentService.method.deleteAgent,
  });
};
