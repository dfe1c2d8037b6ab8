import { AuditService } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readRoutes } from "../http/read-routes.ts";
import { idFilter, instant } from "../http/schemas.ts";
import { auditEntry } from "../resources/audit-entry.ts";
import type { Surface } from "../surface.ts";

/** The audit log of the workspace. */
export const auditLog: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");

  list("/audit-log", {
    summary: "List audit entries, the oldest first",
    access: { capability: "admin" },
    rpc: AuditService.method.listAuditLog,
    record: auditEntry,
    query: {
      actor_id: idFilter("usr", "The actor: a user, an API key, a reader, a service or an operator"),
      action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ["user.invited"] })),
      from: Type.Optional(instant("Inclusive")),
      to: Type.Optional(instant("Exclusive")),
    },
  });
};
