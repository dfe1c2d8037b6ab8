import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { workspace as record, settingsSchema, toSettings } from "../resources/workspace.ts";
import type { Surface } from "../surface.ts";

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
