import { SessionStatus, StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
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
  const { create, act } = writeRoutes(app, clients, "b");

  list("/stocktake/sessions", {
    summary: "List stock-take sessions",
    access: { capability: "view" },
    rpc: listSessions,
    record: stocktakeSession,
    sorts: byId,
    query: {
      in_progress: Type.Optional(
        Type.Boolean({ description: "True: from opening until closing or cancelling. False: all others." }),
      ),
    },
  });

  create("/stocktake/sessions", {
    summary: "Create a stock-take session",
    description: "It is a draft until it is opened.",
    access: { capability: "audit" },
    rpc: createSession,
    record: stocktakeSession,
    body: newSessionSchema,
    toRequest: (given) => ({ session: toNewSession(given) }),
  });

  get("/stocktake/sessions/:id", {
    summary: "Retrieve one stock-take session",
    access: { capability: "view" },
    rpc: getSession,
    record: stocktakeSession,
  });

  act("/stocktake/sessions/:id/open", {
    summary: "Open a stock-take session",
    description:
      "Freezes which assets of the scope are expected. Of a large scope the answer is 202: read the session until it is `open`.",
    access: { capability: "audit" },
    rpc: openSession,
    record: stocktakeSession,
    continues: ({ status }) => status === SessionStatus.OPENING,
  });

  act("/stocktake/sessions/:id/cancel", {
    summary: "Cancel a stock-take session",
    description: "Possible until the session is reconciled. It is final.",
    access: { capability: "audit" },
    rpc: cancelSession,
    record: stocktakeSession,
  });

  list("/stocktake/sessions/:id/expected", {
    summary: "List the expected assets of a stock-take session",
    access: { capability: "view" },
    rpc: listExpectedAssets,
    record: expectedAsset,
    path: (sessionId) => ({ sessionId }),
  });
};
