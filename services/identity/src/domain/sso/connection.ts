import type { Capability } from "@asset-register/rpc";
import type { Sealed } from "@asset-register/runtime";
import { grantedCapabilities } from "../user.ts";

/** The rights of the members of a group of the provider. */
export type GroupRights = { group: string; capabilities: Capability[] };

/** The users that have to sign in with the provider: none, all but admins, or all. */
export type RequireSso = "off" | "on" | "all";

/** The fields that an admin writes, except the secret. */
export type SsoFields = {
  /** Exactly as the provider names itself. */
  issuer: string;
  /** Absent until the platform is registered with the provider. */
  clientId?: string | undefined;
  scopes: string[];
  /** Whether a person without an account gets one at the first sign-in. */
  provision: boolean;
  /** Of such a person, and of members of no mapped group. */
  defaultCapabilities: Capability[];
  /** The claim with the groups of a person. */
  groupClaim?: string | undefined;
  groups: GroupRights[];
  requireSso: RequireSso;
  /** Whether a sign-in with the provider counts as one with two factors. */
  mfaByProvider: boolean;
};

/** The connection of a workspace to its OpenID provider. A workspace has one at most. */
export type SsoConnection = SsoFields & {
  id: string;
  workspaceId: string;
  clientSecret?: Sealed | undefined;
  rev: number;
  createdAt: Date;
  updatedAt: Date;
};

/** A connection with which people can sign in. */
export type UsableConnection = SsoConnection & { clientId: string; clientSecret: Sealed };

/** Whether people can sign in: the platform is registered with the provider. */
export function isUsable(connection: SsoConnection | undefined): connection is UsableConnection {
  return connection?.clientId !== undefined && connection.clientSecret !== undefined;
}

/** Names of tenants that stand for all companies: their provider would vouch for strangers. */
const SHARED_TENANTS = new Set(["common", "organizations", "consumers"]);

/** Why a text can't be an issuer, apart from its address. Undefined if it can. */
export function reasonAgainstIssuer(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return "must be the URL of a provider";
  const { search, hash, username, pathname } = new URL(issuer);
  if (search !== "" || hash !== "" || username !== "" || /[?#]/.test(issuer))
    return "must not have a query, a fragment or user info";
  const parts = decodeURIComponent(pathname).split("/");
  if (parts.some((part) => SHARED_TENANTS.has(part.toLowerCase()) || /[{}]/.test(part)))
    return "must name one company: an issuer of several tenants is not accepted";
  return undefined;
}

/** Whether the user may sign in with the provider only. */
export function mustUseSso(
  connection: Pick<SsoConnection, "requireSso"> | undefined,
  { capabilities }: { capabilities: readonly Capability[] },
): boolean {
  const { requireSso = "off" } = connection ?? {};
  return requireSso === "all" || (requireSso === "on" && !capabilities.includes("admin"));
}

/**
 * The capabilities that the groups of a person give. Members of no mapped group have the default ones. Undefined if
 * groups change nothing: none is mapped, or the provider sends no list of groups.
 */
export function capabilitiesOfGroups(
  { groupClaim, groups, defaultCapabilities }: SsoFields,
  claims: Readonly<Record<string, unknown>>,
): Capability[] | undefined {
  if (groupClaim === undefined || groups.length === 0) return undefined;
  const claimed = claims[groupClaim];
  const names = typeof claimed === "string" ? [claimed] : claimed;
  if (!Array.isArray(names)) return undefined;
  const held = groups.filter(({ group }) => names.includes(group)).flatMap((one) => one.capabilities);
  if (held.length === 0 && !groups.some(({ group }) => names.includes(group)))
    return grantedCapabilities(defaultCapabilities, false);
  return grantedCapabilities(held, held.includes("admin"));
}
