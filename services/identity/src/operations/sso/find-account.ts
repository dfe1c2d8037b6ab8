import { type ClientSession, retryOnDuplicateKey } from "@asset-register/mongo";
import { limits } from "@asset-register/proto/limits";
import { changesBetween, newId } from "@asset-register/runtime";
import type { SignInCall } from "../../context.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { identityJoined } from "../../domain/notices.ts";
import { domainId, domainOfEmail } from "../../domain/sso/company-domain.ts";
import { capabilitiesOfGroups, type SsoConnection } from "../../domain/sso/connection.ts";
import type { Person, SsoFailure } from "../../domain/sso/identity.ts";
import { changeUser, isActiveAdmin, type User } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { queueNotice } from "../mails/queue-notice.ts";
import type { SsoContext } from "./sso-context.ts";

type By = Pick<SignInCall, "deadline" | "requestId" | "clientRequestId"> & {
  clientAddress?: string | undefined;
};
type Found = { userId: string } | { error: SsoFailure };

/** The actor of changes that follow from what a provider asserts. */
const PROVIDER = { kind: "service", id: "single-sign-on" } as const;

/**
 * The account of a person whom the provider of a workspace has signed in. The first sign-in of an identity joins the
 * user of the same workspace with the same address, if the address is in a verified domain; or makes a user, if the
 * connection provisions. Mapped groups set the capabilities at each sign-in.
 */
export async function findAccount(
  context: SsoContext,
  connection: SsoConnection,
  person: Person,
  by: By,
): Promise<Found> {
  const { mongo, credentialVersions } = context;
  // Two first sign-ins at the same time: the second attempt finds the identity, or the user.
  const { found, user } = await retryOnDuplicateKey(() =>
    mongo.transaction({ deadline: by.deadline }, async (session) => {
      const account = await findOrJoin(context, connection, person, by, session);
      if ("error" in account) return { found: account };
      const user = await applyGroups(context, connection, person, by, account, session);
      return { found: { userId: user.id }, user };
    }),
  );
  if (user !== undefined) await credentialVersions.raise(user.id, user.rev);
  return found;
}

async function findOrJoin(
  context: SsoContext,
  connection: SsoConnection,
  person: Person,
  by: By,
  session: ClientSession,
): Promise<User | { error: SsoFailure }> {
  const { stores, now } = context;
  const { workspaceId } = connection;
  const identity = await stores.ssoIdentities.find(person.issuer, person.subject, session);
  if (identity === undefined) return join(context, connection, person, by, session);
  // Only the person learns this: the provider has signed them in with the identity of that account.
  if (identity.workspaceId !== workspaceId) return { error: "SSO_ACCOUNT_ELSEWHERE" };
  const user = await stores.users.get(workspaceId, identity.userId, session);
  if (user?.status !== "active") return { error: "SSO_NO_ACCOUNT" };
  await stores.ssoIdentities.noteSignIn(workspaceId, identity.id, now(), session);
  return user;
}

async function join(
  context: SsoContext,
  connection: SsoConnection,
  person: Person,
  by: By,
  session: ClientSession,
): Promise<User | { error: SsoFailure }> {
  const { stores, now } = context;
  const { workspaceId } = connection;
  const { email, issuer, subject } = person;
  if (email === undefined || !(await isOwnAddress(context, workspaceId, email, session)))
    return { error: "SSO_NO_ACCOUNT" };
  const before =
    (await stores.users.findMember(workspaceId, email, session)) ??
    (await stores.users.findInvited(workspaceId, email, session));
  if (before?.status === "disabled") return { error: "SSO_NO_ACCOUNT" };
  if (before === undefined) {
    // The address is in a domain of the company, so nobody else can find out in this way who has an account.
    const other = await stores.credentials.findUser(email);
    if (other !== undefined && other.workspaceId !== workspaceId) return { error: "SSO_ACCOUNT_ELSEWHERE" };
    if (!connection.provision) return { error: "SSO_NO_ACCOUNT" };
  }
  const at = now();
  const user = before ? joined(before, at) : newUser(connection, { email, name: person.name }, at);
  if (before) await stores.users.save(workspaceId, user, before.rev, session);
  else await stores.users.insert(workspaceId, user, session);
  await stores.ssoIdentities.insert(
    workspaceId,
    { id: newId("idt"), workspaceId, userId: user.id, issuer, subject, createdAt: at, lastSignedInAt: at },
    session,
  );
  await stores.auditLog.append(
    workspaceId,
    joinEntries(before, user, person, { ...by, workspaceId, actor: PROVIDER }),
    session,
  );
  const workspace = await stores.workspaces.get(workspaceId, session);
  await queueNotice(context, user, identityJoined(user.name, workspace?.name ?? ""), session);
  return user;
}

/** Whether the address is in a verified domain of the workspace. */
async function isOwnAddress(
  { stores }: SsoContext,
  workspaceId: string,
  email: string,
  session: ClientSession,
): Promise<boolean> {
  const id = domainId(workspaceId, domainOfEmail(email));
  return (await stores.companyDomains.get(workspaceId, id, session))?.status === "verified";
}

/** An open invitation counts as accepted. */
const joined = (user: User, at: Date): User => ({
  ...user,
  ...{
    hasIdentity: true,
    status: "active",
    rev: user.rev + 1,
    updatedAt: at,
    invitationExpiresAt: undefined,
  },
});

function newUser(
  { workspaceId, defaultCapabilities }: SsoConnection,
  { email, name }: { email: string; name: string | undefined },
  at: Date,
): User {
  return {
    ...{ id: newId("usr"), workspaceId, email, hasIdentity: true, status: "active", rev: 1 },
    name: (name ?? email).slice(0, limits.accountName),
    capabilities: defaultCapabilities,
    ...{ createdAt: at, updatedAt: at },
  };
}

function joinEntries(
  before: User | undefined,
  user: User,
  { issuer, subject }: Person,
  by: Parameters<typeof auditEntry>[0],
): AuditEntry[] {
  const { id, email, capabilities, updatedAt: at } = user;
  const made = auditEntry(by, at, "user.provisioned", id, changesBetween({}, { email, capabilities }));
  const accepted = auditEntry(by, at, "user.invitation_accepted", id);
  return [
    ...(before === undefined ? [made] : []),
    ...(before?.status === "invited" ? [accepted] : []),
    auditEntry(by, at, "user.identity_joined", id, changesBetween({}, { issuer, subject })),
  ];
}

/** Sets the capabilities that the person's groups give, except those of the last admin. */
async function applyGroups(
  { stores, now, logger }: SsoContext,
  connection: SsoConnection,
  { claims }: Person,
  by: By,
  user: User,
  session: ClientSession,
): Promise<User> {
  const { workspaceId } = connection;
  const capabilities = capabilitiesOfGroups(connection, claims);
  if (capabilities === undefined) return user;
  const changed = changeUser(user, { capabilities, admin: capabilities.includes("admin") }, now());
  if (changed === user) return user;
  if (isActiveAdmin(user) && !isActiveAdmin(changed)) {
    await stores.workspaces.lockAdmins(workspaceId, session);
    if ((await stores.users.countActiveAdmins(workspaceId, session)) === 1) {
      logger.warn(
        { user_id: user.id, workspace_id: workspaceId },
        "groups can't end the rights of the last admin",
      );
      return user;
    }
  }
  await stores.users.save(workspaceId, changed, user.rev, session);
  const changes = changesBetween({ capabilities: user.capabilities }, { capabilities: changed.capabilities });
  const entry = auditEntry(
    { ...by, workspaceId, actor: PROVIDER },
    changed.updatedAt,
    "user.rights_changed",
    user.id,
    changes,
  );
  await stores.auditLog.append(workspaceId, [entry], session);
  return changed;
}
