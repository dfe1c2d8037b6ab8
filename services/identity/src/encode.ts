import { Capability as CapabilityCode } from "@asset-register/proto/assetregister/common/v1/access_pb";
import type { ApiKeySchema } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import type {
  LoginResponseSchema,
  UserSchema,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import {
  Plan,
  type WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import type { Capability } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ApiKey } from "./domain/api-key.ts";
import { effectiveCapabilities } from "./domain/capability.ts";
import type { SignIn } from "./domain/session.ts";
import type { User } from "./domain/user.ts";
import type { Workspace } from "./domain/workspace.ts";

const planCodes = {
  starter: Plan.STARTER,
  business: Plan.BUSINESS,
  enterprise: Plan.ENTERPRISE,
} as const satisfies Record<Workspace["plan"], Plan>;

const statusCodes = {
  active: WorkspaceStatus.ACTIVE,
  disabled: WorkspaceStatus.DISABLED,
} as const satisfies Record<Workspace["status"], WorkspaceStatus>;

const capabilityCodes = {
  view: CapabilityCode.VIEW,
  create: CapabilityCode.CREATE,
  edit: CapabilityCode.EDIT,
  delete: CapabilityCode.DELETE,
  manage: CapabilityCode.MANAGE,
  finance: CapabilityCode.FINANCE,
  audit: CapabilityCode.AUDIT,
  devices: CapabilityCode.DEVICES,
  alerts: CapabilityCode.ALERTS,
  admin: CapabilityCode.ADMIN,
} as const satisfies Record<Capability, CapabilityCode>;

const instant = (date: Date | undefined): Timestamp | undefined => date && timestampFromDate(date);

/** What a user holds, an admin all of them. */
export const capabilityMessages = (user: User): CapabilityCode[] =>
  effectiveCapabilities(user.capabilities).map((capability) => capabilityCodes[capability]);

export function workspaceMessage(workspace: Workspace): MessageInitShape<typeof WorkspaceSchema> {
  const { id, name, timeZone, currency, numberPrefix, fiscalYearStart } = workspace;
  return {
    id,
    name,
    status: statusCodes[workspace.status],
    plan: planCodes[workspace.plan],
    timeZone,
    currency,
    numberPrefix,
    fiscalYearStart,
    rev: BigInt(workspace.rev),
  };
}

export function userMessage(user: User): MessageInitShape<typeof UserSchema> {
  return { id: user.id, email: user.email, name: user.name, capabilities: capabilityMessages(user) };
}

/** The same fields answer a sign-in and a refresh. */
export function signInMessage(
  { tokens, session, user }: SignIn,
  now: Date,
): Omit<MessageInitShape<typeof LoginResponseSchema>, "$typeName"> {
  const left = Math.max(0, Math.floor((tokens.accessExpiresAt.getTime() - now.getTime()) / 1000));
  return {
    tokens: {
      accessToken: tokens.access,
      expiresIn: left,
      refreshToken: tokens.refresh,
      refreshExpiresAt: timestampFromDate(tokens.refreshExpiresAt),
    },
    deviceUuid: session.deviceUuid,
    user: userMessage(user),
  };
}

export function apiKeyMessage(key: ApiKey): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    expiresAt: instant(key.expiresAt),
    lastUsedAt: instant(key.lastUsedAt),
    createdAt: timestampFromDate(key.createdAt),
    revokedAt: instant(key.revokedAt),
  };
}
