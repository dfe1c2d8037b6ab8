import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { toTimestamp } from "../http/request-message.ts";
import { declared } from "../http/routes.ts";
import { idFilter, instant, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { auditEntrySchema, presentAuditEntry } from "../resources/audit-entry.ts";
import type { Surface } from "../surface.ts";

/** Who did what in the workspace. */
export const auditLog: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/audit-log",
    {
      config: declared({ capability: "admin" }, AuditService.method.listAuditLog),
      schema: {
        summary: "List administrative acts, the oldest first",
        querystring: Type.Object({
          ...pageQueryB,
          actor_id: idFilter("usr", "Who acted: a user, an API key, a reader, a service, an operator"),
          action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["user.invited"] })),
          from: Type.Optional(instant("From this instant on")),
          to: Type.Optional(instant("Before this instant")),
        }),
        response: { 200: pageOf(auditEntrySchema) },
      },
    },
    async (request, reply) => {
      const { actor_id, action, from, to } = request.query;
      const list = await clients.audit.listAuditLog(
        {
          page: toPageB(request.query),
          actorId: actor_id,
          action,
          from: from === undefined ? undefined : toTimestamp(from, "from"),
          to: to === undefined ? undefined : toTimestamp(to, "to"),
        },
        forward(request, reply),
      );
      return presentListB(list.entries.map(presentAuditEntry), list.page);
    },
  );
};
