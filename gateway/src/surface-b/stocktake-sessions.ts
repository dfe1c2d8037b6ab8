import { SessionStatus, StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import {
  expectedAsset,
  newSessionSchema,
  stocktakeSession,
  toNewSession,
} from "../resources/stocktake-session.ts";
import type { Surface } from "../surface.ts";

const { createSession, openSession, cancelSession, getSession, listSessions, listExpectedAssets } =
  StocktakeService.method;

export const stocktakeSessions: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/stocktake/sessions", {
    summary: "List stock-take sessions",
    access: { capability: "view" },
    rpc: listSessions,
    record: stocktakeSession,
    sorts: byId,
  });

  app.post(
    "/stocktake/sessions",
    {
      config: declared({ capability: "audit" }, createSession),
      schema: {
        summary: "Create a stock-take session",
        description: "It is a draft until it is opened.",
        body: newSessionSchema,
        response: { 201: stocktakeSession.schema },
      },
    },
    async (request, reply) => {
      const session = toNewSession(request.body);
      const answer = await clients.stocktake.createSession({ session }, forward(request, reply));
      const made = stocktakeSession.present(required(answer.session));
      created(reply, `/asset_manager_api/stocktake/sessions/${made.id}`);
      return made;
    },
  );

  get("/stocktake/sessions/:id", {
    summary: "Retrieve one stock-take session",
    access: { capability: "view" },
    rpc: getSession,
    record: stocktakeSession,
  });

  app.post(
    "/stocktake/sessions/:id/open",
    {
      config: declared({ capability: "audit" }, openSession),
      schema: {
        summary: "Open a stock-take session",
        description:
          "Freezes which assets of the scope are expected. Of a large scope the answer is 202: read the session until it is `open`.",
        params: idParams,
        response: { 200: stocktakeSession.schema, 202: stocktakeSession.schema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const session = required(
        (await clients.stocktake.openSession({ id }, forward(request, reply))).session,
      );
      if (session.status === SessionStatus.OPENING) reply.code(202);
      return stocktakeSession.present(session);
    },
  );

  app.post(
    "/stocktake/sessions/:id/cancel",
    {
      config: declared({ capability: "audit" }, cancelSession),
      schema: {
        summary: "Cancel a stock-take session",
        description: "Possible until the session is reconciled. It is final.",
        params: idParams,
        response: { 200: stocktakeSession.schema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const answer = await clients.stocktake.cancelSession({ id }, forward(request, reply));
      return stocktakeSession.present(required(answer.session));
    },
  );

  list("/stocktake/sessions/:id/expected", {
    summary: "List what a stock-take session expects",
    access: { capability: "view" },
    rpc: listExpectedAssets,
    record: expectedAsset,
    path: (sessionId) => ({ sessionId }),
  });
};
