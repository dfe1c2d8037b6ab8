import {
  UpdateWorkspaceRequestSchema,
  WorkspaceService,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body } from "../http/schemas.ts";
import { workspace as record } from "../resources/workspace.ts";
import type { Surface } from "../surface.ts";

const settingsSchema = body({
  name: Type.Optional(accountNamed("Acme")),
  time_zone: Type.Optional(
    Type.String({ maxLength: 100, description: "IANA name", examples: ["Europe/Berlin"] }),
  ),
  number_prefix: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.numberPrefix,
      description: "Letters, digits and -",
      examples: ["AST-"],
    }),
  ),
  fiscal_year_start: Type.Optional(Type.Integer({ minimum: 1, maximum: 12 })),
});
const toSettings = requestMessage(UpdateWorkspaceRequestSchema, settingsSchema);

/** The workspace and its settings, for its admins. Only operators change its plan and status. */
export const workspace: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  readRoutes(app, clients, "b").get("/workspace", {
    summary: "The workspace",
    access: { capability: "admin" },
    rpc: WorkspaceService.method.getWorkspace,
    record,
  });

  app.patch(
    "/workspace",
    {
      config: declared({ capability: "admin" }, WorkspaceService.method.updateWorkspace),
      schema: {
        summary: "Change the workspace's settings",
        body: settingsSchema,
        response: { 200: record.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.workspaces.updateWorkspace(
        toSettings(request.body),
        forward(request, reply),
      );
      return record.present(required(answer.workspace));
    },
  );
};
