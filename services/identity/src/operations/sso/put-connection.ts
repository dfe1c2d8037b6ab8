import { parsePublicUrl } from "@asset-register/guarded-http";
import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, invalid, newId, precondition, requireRev } from "@asset-register/runtime";
import {
  type RequireSso,
  reasonAgainstIssuer,
  type SsoConnection,
  type SsoFields,
} from "../../domain/sso/connection.ts";
import { ssoTimes } from "../../domain/sso/identity.ts";
import { auditedFields, sealSecret } from "../../providers/sso.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";
import type { SsoContext } from "./sso-context.ts";

export type PutConnection = SsoFields & { clientSecret?: string | undefined; ifRevIn: readonly number[] };

/** Creates or replaces the connection of the workspace. A secret that is not given stays. */
export async function putConnection(
  context: SsoContext,
  { ifRevIn, clientSecret, ...fields }: PutConnection,
  call: Call,
): Promise<SsoConnection> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId } = call;
  assertIssuer(context, fields.issuer);
  await requireRecent(context, call);
  const { after, ended } = await mongo.transaction(call, async (session) => {
    const at = now();
    const before = await stores.ssoConnections.get(workspaceId, session);
    if (before !== undefined) requireRev(before.rev, ifRevIn);
    else if (ifRevIn.length > 0) throw precondition();
    const id = before?.id ?? newId("sso");
    // The secret of one provider must not be sent to another.
    const kept = before?.issuer === fields.issuer ? before.clientSecret : undefined;
    const connection: SsoConnection = {
      ...{
        ...fields,
        id,
        workspaceId,
        rev: (before?.rev ?? 0) + 1,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      },
      clientSecret: clientSecret === undefined ? kept : sealSecret(context.sso, id, clientSecret),
    };
    await assertProven(context, before, connection, call, session);
    const changes = changesBetween(before ? auditedFields(before) : {}, auditedFields(connection));
    if (clientSecret !== undefined) changes.push({ field: "client_secret", after: "(changed)" });
    if (before !== undefined && changes.length === 0) return { after: before, ended: [] };
    if (before) await stores.ssoConnections.save(workspaceId, connection, before.rev, session);
    else await stores.ssoConnections.insert(workspaceId, connection, session);
    const entry = auditEntry(call, at, before ? "sso.changed" : "sso.created", id, changes);
    await stores.auditLog.append(workspaceId, [entry], session);
    return { after: connection, ended: await endOtherSessions(context, before, connection, session) };
  });
  for (const { id, rev } of ended) await credentialVersions.raise(id, rev);
  return after;
}

function assertIssuer({ sso }: SsoContext, issuer: string): void {
  const parsed = sso.privateIssuers.includes(issuer) ? undefined : parsePublicUrl(issuer, []);
  const reason = parsed?.ok === false ? parsed.reason : reasonAgainstIssuer(issuer);
  if (reason !== undefined) throw invalid([{ field: "issuer", message: reason }]);
}

const strictness: readonly RequireSso[] = ["off", "on", "all"];

/**
 * Requiring single sign-on ends the ways in by password. So it must have worked for the caller within the hour, and for
 * a second admin too if it ends the admins' ways in.
 * @throws AppError SSO_NOT_PROVEN
 */
async function assertProven(
  { stores, now }: SsoContext,
  before: SsoConnection | undefined,
  after: SsoConnection,
  { principal, workspaceId }: Call,
  session: ClientSession,
): Promise<void> {
  const sameProvider = before?.issuer === after.issuer && before.clientId === after.clientId;
  const stricter = strictness.indexOf(after.requireSso) > strictness.indexOf(before?.requireSso ?? "off");
  if (after.requireSso === "off" || (sameProvider && !stricter)) return;
  const signIn =
    principal.kind === "user" ? await stores.ssoSessions.get(workspaceId, principal.sessionId) : undefined;
  const since = now().getTime() - ssoTimes.proof;
  if (!sameProvider || signIn?.connectionId !== after.id || signIn.signedInAt.getTime() < since)
    throw notProven("Sign in with single sign-on first. It can be required within an hour after that.");
  if (after.requireSso !== "all") return;
  const [admins, users] = await Promise.all([
    stores.users.activeAdmins(workspaceId, session),
    stores.ssoIdentities.userIds(workspaceId, after.issuer, session),
  ]);
  if (admins.filter(({ id }) => users.includes(id)).length < 2)
    throw notProven("A second admin has to sign in with single sign-on first.");
}

const notProven = (message: string) =>
  conflict("SSO_NOT_PROVEN", message, [{ field: "require_sso", message: "has to be proven to work first" }]);

/** Ends the sessions by password of users who must use the provider from now on. */
async function endOtherSessions(
  { stores, now }: SsoContext,
  before: SsoConnection | undefined,
  { workspaceId, requireSso }: SsoConnection,
  session: ClientSession,
): Promise<{ id: string; rev: number }[]> {
  if (requireSso === "off" || requireSso === before?.requireSso) return [];
  const except = requireSso === "all" ? [] : await stores.users.activeAdmins(workspaceId, session);
  return stores.sessions.revokeWithoutSso(
    workspaceId,
    except.map(({ id }) => id),
    now(),
    session,
  );
}
