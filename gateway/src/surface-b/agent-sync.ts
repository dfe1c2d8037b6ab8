import { hash } from "node:crypto";
import { AgentSyncService } from "@asset-register/proto/assetregister/tagging_ingest/v1/agent_pb";
import { AppError } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { forward } from "../http/context.ts";
import { createJsonParser } from "../http/json-body.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { signatureOf, signedHeaders } from "../http/signed-request.ts";
import {
  agent,
  agentReader,
  enrolledSchema,
  enrolmentSchema,
  syncedSchema,
  syncSchema,
  toEnrolment,
  toSync,
} from "../resources/agent.ts";
import type { Surface } from "../surface.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the raw body of a signed request, in lower-case hex. */
    bodySha256?: string | undefined;
  }
}

/**
 * The calls of agents, which have a token or a secret instead of a user's session. Refused ones count against the limit
 * of their network.
 */
export const agentSync: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, refusals }) => {
  const parse = createJsonParser(app);
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      request.bodySha256 = hash("sha256", body);
      return body.length === 0 ? undefined : parse(request, body);
    },
  );

  async function countRefusal<R>(client: FastifyRequest, call: () => Promise<R>): Promise<R> {
    refusals.admit({ client });
    try {
      return await call();
    } catch (error) {
      if (error instanceof AppError && error.kind === "unauthenticated") await refusals.count({ client });
      throw error;
    }
  }

  app.post(
    "/agents/enrol",
    {
      config: declared({ public: true }, AgentSyncService.method.enrolAgent),
      schema: {
        summary: "Exchange the token of an agent for its secret",
        description: "`edge-agent enrol` does this. A token works once, for 24 hours.",
        body: enrolmentSchema,
        response: { 200: enrolledSchema },
      },
    },
    async (request, reply) => {
      const asked = toEnrolment(request.body);
      const answer = await countRefusal(request, () =>
        clients.agentSyncs.enrolAgent(asked, forward(request, reply)),
      );
      const readers = answer.readers.map((one) => agentReader.present(one));
      return { agent: agent.present(required(answer.agent)), secret: answer.secret, readers };
    },
  );

  app.post(
    "/agents/sync",
    {
      config: declared({ public: true }, AgentSyncService.method.syncAgent),
      schema: {
        summary: "Report the state of an agent, and get its readers",
        description:
          "Agents do this once an hour, and when a reader is refused. The agent signs the request.",
        headers: signedHeaders("agent"),
        body: syncSchema,
        response: { 200: syncedSchema },
      },
    },
    async (request, reply) => {
      const { id: agentId, ...signature } = signatureOf(request.headers, "agent");
      const asked = { ...toSync(request.body), agentId, ...signature };
      const bodySha256 = request.bodySha256 ?? hash("sha256", "");
      const answer = await countRefusal(request, () =>
        clients.agentSyncs.syncAgent({ ...asked, bodySha256 }, forward(request, reply)),
      );
      const readers = answer.readers.map((one) => agentReader.present(one));
      return { agent: agent.present(required(answer.agent)), readers };
    },
  );
};
