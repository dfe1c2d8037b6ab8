import {
  Plan,
  UpdateWorkspaceRequestSchema,
  WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { accountNamed, id, rev } from "../http/schemas.ts";
import { required } from "../http/writable.ts";

export const plan = enumOf(Plan);

const fields = {
  id: id("wsp"),
  name: required(accountNamed("Acme")),
  plan,
  time_zone: required(
    Type.String({ maxLength: 100, description: "IANA name", examples: ["Europe/Berlin"] }),
    { shown: { description: undefined } },
  ),
  currency: Type.String({ description: "ISO 4217", examples: ["EUR"] }),
  fiscal_year_start: required(Type.Integer({ minimum: 1, maximum: 12 }), {
    shown: { description: "Month, 1 to 12" },
  }),
};

/** The workspace as every app of it sees it. */
export const tenant = resource(WorkspaceSchema, "Tenant", fields);

/** The workspace as its admins see it. */
export const workspace = resource(WorkspaceSchema, "Workspace", {
  ...fields,
  status: enumOf(WorkspaceStatus),
  number_prefix: required(
    Type.String({
      minLength: 1,
      maxLength: limits.numberPrefix,
      description: "Letters, digits and -",
      examples: ["AST-"],
    }),
    { shown: { description: "The beginning of asset numbers" } },
  ),
  require_mfa: required(Type.Boolean(), {
    shown: { description: "Users without a second factor may only set one up" },
  }),
  rev,
});

/** The RPC has no field mask: each of these fields always has a value. */
export const settingsSchema = mergePatch(workspace).schema;
export const toSettings = requestMessage(UpdateWorkspaceRequestSchema, settingsSchema);
