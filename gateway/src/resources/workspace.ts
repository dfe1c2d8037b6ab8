import {
  Plan,
  WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, like, rev } from "../http/schemas.ts";

export const plan = enumOf(Plan);

/** The workspace as every app of it sees it. */
export const tenant = resource(WorkspaceSchema, "Tenant", {
  id: id("wsp"),
  name: like("Acme"),
  plan,
  time_zone: Type.String({ examples: ["Europe/Berlin"] }),
  currency: Type.String({ description: "ISO 4217", examples: ["EUR"] }),
  fiscal_year_start: Type.Integer({ description: "Month, 1 to 12" }),
});

/** The workspace as its admins see it. */
export const workspace = resource(WorkspaceSchema, "Workspace", {
  ...tenant.schema.properties,
  status: enumOf(WorkspaceStatus),
  number_prefix: Type.String({ description: "The beginning of asset numbers", examples: ["AST-"] }),
  rev,
});
