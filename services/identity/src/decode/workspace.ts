import type { UpdateWorkspaceRequest } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { isCurrency } from "@asset-register/runtime";
import { z } from "zod";
import { isTimeZone } from "../domain/workspace.ts";
import { planNames } from "../encode/workspace.ts";
import type { CreateWorkspace } from "../operations/workspaces/create-workspace.ts";
import type { UpdateWorkspace } from "../operations/workspaces/update-workspace.ts";
import { newPassword } from "./session.ts";
import { email } from "./user.ts";

const A_MONTH = "must be a month, 1 to 12";

const settings = z.object({
  name: field.text(limits.accountName),
  timeZone: z.string().refine(isTimeZone, "must be an IANA time zone"),
  numberPrefix: z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9][A-Za-z0-9-]{0,${limits.numberPrefix - 1}}$`),
      `must have 1 to ${limits.numberPrefix} letters, digits or -`,
    ),
  fiscalYearStart: z.int(A_MONTH).min(1, A_MONTH).max(12, A_MONTH),
});

const change = settings
  .partial()
  .extend({ requireMfa: z.boolean().optional(), ifRevIn: z.array(z.number()) });

export function decodeUpdateWorkspace(request: UpdateWorkspaceRequest): UpdateWorkspace {
  return parse(change, request);
}

const plan = z.enum(planNames.names, `must be one of ${planNames.names.join(", ")}`);

const newWorkspace = settings.extend({
  plan,
  currency: z.string().refine(isCurrency, "must be an ISO 4217 code, for example EUR"),
  adminEmail: email,
  adminName: field.text(limits.accountName),
  adminPassword: newPassword,
});

/** Reads the options of an operator, by the names of the fields. */
export function decodeCreateWorkspace(
  values: Record<keyof z.input<typeof newWorkspace>, unknown>,
): CreateWorkspace {
  return parse(newWorkspace, values);
}

const planChange = z.object({ plan });

export function decodePlan(values: { plan: string }): z.output<typeof planChange> {
  return parse(planChange, values);
}
