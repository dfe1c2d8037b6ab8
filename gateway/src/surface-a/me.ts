import { WorkspaceSchema } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { resource } from "../http/resource.ts";
import { declared } from "../http/routes.ts";
import { envelope, id, instant, like, nullable } from "../http/schemas.ts";
import { rateOf } from "../plugins/authenticate.ts";
import { plan } from "../resources/workspace.ts";
import type { Surface } from "../surface.ts";

const workspaceOfKey = resource(WorkspaceSchema, "WorkspaceOfKey", {
  id: id("wsp"),
  name: like("Acme"),
  plan,
  time_zone: like("Europe/Berlin"),
  currency: like("EUR"),
});

const meSchema = Type.Object(
  {
    workspace: Type.Object(workspaceOfKey.schema.properties),
    key: Type.Object({
      id: id("key"),
      name: like("ERP"),
      scopes: Type.Array(like("assets:read")),
      expires_at: nullable(instant()),
    }),
    rate_limit: Type.Object({
      limit: Type.Integer({ description: "Requests in the window", examples: [600] }),
      window_seconds: Type.Integer({ examples: [60] }),
    }),
  },
  { title: "Me" },
);

export const me: FastifyPluginAsyncTypebox<Surface> = async (app, { config }) => {
  app.get(
    "/me",
    {
      config: declared({ signedIn: true }),
      schema: { summary: "The authenticated workspace and key", response: { 200: envelope(meSchema) } },
    },
    async (request) => {
      const caller = callerOf(request);
      const { principal } = caller;
      return presentA("OK", {
        workspace: workspaceOfKey.present(caller.workspace),
        key: {
          id: principal.id,
          name: caller.keyName,
          scopes: principal.kind === "api_key" ? principal.scopes : [],
          expires_at: caller.expiresAt?.toISOString() ?? null,
        },
        rate_limit: { limit: rateOf(caller, config).perMinute, window_seconds: 60 },
      });
    },
  );
};
