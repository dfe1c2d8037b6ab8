import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body } from "../http/schemas.ts";
import { presentWorkspace, workspaceSchema } from "../resources/workspace.ts";
import type { Surface } from "../surface.ts";

/** The workspace and its settings, for its admins. Plan, currency and status are the operators'. */
export const workspace: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/workspace",
    {
      config: declared({ capability: "admin" }, WorkspaceService.method.getWorkspace),
      schema: { summary: "The workspace", response: { 200: workspaceSchema } },
    },
    async (request, reply) => {
      const { workspace } = await clients.workspaces.getWorkspace({}, forward(request, reply));
      return presentWorkspace(required(workspace));
    },
  );

  app.patch(
    "/workspace",
    {
      config: declared({ capability: "admin" }, WorkspaceService.method.updateWorkspace),
      schema: {
        summary: "Change the workspace's settings",
        body: body({
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
        }),
        response: { 200: workspaceSchema },
      },
    },
    async (request, reply) => {
      const { name, time_zone, number_prefix, fiscal_year_start } = request.body;
      const { workspace } = await clients.workspaces.updateWorkspace(
        { name, timeZone: time_zone, numberPrefix: number_prefix, fiscalYearStart: fiscal_year_start },
        forward(request, reply),
      );
      return presentWorkspace(required(workspace));
    },
  );
};
