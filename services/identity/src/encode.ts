import type { Capability as CapabilityCode } from "@asset-register/proto/assetregister/common/v1/access_pb";
import type { ApiKeySchema } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import type { AuditEntrySchema } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import type { DeviceSchema } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import type {
  LoginResponseSchema,
  UserSchema,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import {
  type UserAccountSchema,
  UserStatus as UserStatusCode,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import {
  Plan,
  type WorkspaceSchema,
  WorkspaceStatus,
} from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { capabilityNames, encodeActor } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ApiKey, previousValidUntil } from "./domain/api-key.ts";
import type { AuditEntry } from "./domain/audit.ts";
import { effectiveCapabilities } from "./domain/capability.ts";
import type { Session, SignIn } from "./domain/session.ts";
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

const userStatusCodes = {
  invited: UserStatusCode.INVITED,
  active: UserStatusCode.ACTIVE,
  disabled: UserStatusCode.DISABLED,
} as const satisfies Record<User["status"], UserStatusCode>;

const instant = (date: Date | undefined): Timestamp | undefined => date && timestampFromDate(date);

/** What a user holds, an admin all of them. */
export const capabilityMessages = (user: User): CapabilityCode[] =>
  effectiveCapabilities(user.capabilities).map((name) => capabilityNames.encode(name));

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
    rev: workspace.rev,
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
  const left = (end: Date): number => Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
  return {
    tokens: {
      accessToken: tokens.access,
      expiresIn: left(tokens.accessExpiresAt),
      refreshToken: tokens.refresh,
      refreshExpiresAt: timestampFromDate(tokens.refreshExpiresAt),
      refreshExpiresIn: left(tokens.refreshExpiresAt),
    },
    deviceUuid: session.deviceUuid,
    user: userMessage(user),
  };
}

/** As an admin sees a user. */
export function userAccountMessage(user: User): MessageInitShape<typeof UserAccountSchema> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    capabilities: user.capabilities.filter((one) => one !== "admin").map((name) => capabilityNames.encode(name)),
    admin: user.capabilities.includes("admin"),
    status: userStatusCodes[user.status],
    createdAt: timestampFromDate(user.createdAt),
    updatedAt: timestampFromDate(user.updatedAt),
    lastSignedInAt: instant(user.lastSignedInAt),
    invitationExpiresAt: instant(user.invitationEndsAt),
    rev: user.version,
  };
}

export function apiKeyMessage(key: ApiKey, now: Date): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    expiresAt: instant(key.expiresAt),
    lastUsedAt: instant(key.lastUsedAt),
    createdAt: timestampFromDate(key.createdAt),
    revokedAt: instant(key.revokedAt),
    allowedAddresses: key.allowedAddresses,
    previousValidUntil: instant(previousValidUntil(key, now)),
    createdBy: encodeActor(key.createdBy),
    rotatedAt: instant(key.rotatedAt),
    rev: key.version,
  };
}

export function deviceMessage(session: Session, current: boolean): MessageInitShape<typeof DeviceSchema> {
  return {
    deviceUuid: session.deviceUuid,
    label: session.label,
    platform: session.platform,
    appVersion: session.appVersion,
    userId: session.userId,
    createdAt: timestampFromDate(session.createdAt),
    lastSeenAt: timestampFromDate(session.lastSeenAt),
    current,
    revokedAt: instant(session.revokedAt),
  };
}

export function auditMessage(entry: AuditEntry): MessageInitShape<typeof AuditEntrySchema> {
  const { id, action, subjectId, changes, requestId, clientAddress } = entry;
  return {
    id,
    action,
    subjectId,
    changes,
    requestId,
    clientAddress,
    at: timestampFromDate(entry.at),
    actor: encodeActor(entry.actor),
  };
}
