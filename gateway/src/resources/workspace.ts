import {
  Plan,
  type Workspace,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import Type from "typebox";
import { id, like, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

export const planName = wireEnum({
  starter: Plan.STARTER,
  business: Plan.BUSINESS,
  enterprise: Plan.ENTERPRISE,
});

const workspaceStatus = wireEnum({
  active: WorkspaceStatus.ACTIVE,
  disabled: WorkspaceStatus.DISABLED,
});

/** What every app of the workspace is told. */
export const tenantSchema = Type.Object(
  {
    id: id("wsp"),
    name: like("Acme"),
    plan: planName.schema,
    time_zone: Type.String({ examples: ["Europe/Berlin"] }),
    currency: Type.String({ description: "ISO 4217", examples: ["EUR"] }),
    fiscal_year_start: Type.Integer({ description: "Month, 1 to 12" }),
  },
  { title: "Tenant" },
);

export const workspaceSchema = Type.Object(
  {
    ...tenantSchema.properties,
    status: workspaceStatus.schema,
    number_prefix: Type.String({ description: "Put before asset numbers", examples: ["AST-"] }),
    rev,
  },
  { title: "Workspace" },
);

export function presentTenant(workspace: Workspace): Type.Static<typeof tenantSchema> {
  return {
    id: workspace.id,
    name: workspace.name,
    plan: planName.name(workspace.plan),
    time_zone: workspace.timeZone,
    currency: workspace.currency,
    fiscal_year_start: workspace.fiscalYearStart,
  };
}

/** The workspace as its admins see it. */
export function presentWorkspace(workspace: Workspace): Type.Static<typeof workspaceSchema> {
  return {
    ...presentTenant(workspace),
    status: workspaceStatus.name(workspace.status),
    number_prefix: workspace.numberPrefix,
    rev: workspace.rev,
  };
}
