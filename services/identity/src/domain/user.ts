import { type Capability, capabilityNames } from "@asset-register/rpc";

export type UserStatus = "invited" | "active" | "disabled";

/** A person who signs in to one workspace. */
export type User = {
  id: string;
  workspaceId: string;
  /** As it was entered. `emailKey` identifies the account. */
  email: string;
  name: string;
  /** Absent until the invitation is accepted. */
  passwordHash?: string | undefined;
  /** Whether an identity of a provider is joined. Such a user may have no password. */
  hasIdentity?: boolean | undefined;
  /** Whether a sign-in needs a second factor. Set with the factors. */
  hasMfa?: boolean | undefined;
  /** As granted. `effectiveCapabilities` adds those of an admin. */
  capabilities: Capability[];
  status: UserStatus;
  /** Counts changes, also those of the password, from 1. */
  rev: number;
  createdAt: Date;
  updatedAt: Date;
  lastSignedInAt?: Date | undefined;
  /** SHA-256 of the invitation's token, in hex. It is kept after acceptance: a repeat is recognised by it. */
  invitationHash?: string | undefined;
  /** Absent after the invitation is accepted. MongoDB removes an invited user then. */
  invitationExpiresAt?: Date | undefined;
};

/** Whether the person has accepted the invitation: by a password, or by a sign-in with a provider. */
export function hasAccepted({
  passwordHash,
  hasIdentity,
}: Pick<User, "passwordHash" | "hasIdentity">): boolean {
  return passwordHash !== undefined || hasIdentity === true;
}

/** How long an invitation is valid, in milliseconds. */
export const INVITATION_MS = 7 * 86_400_000;

/** The capabilities to store: each once and in the usual order. Only the flag `admin` grants admin. */
export function grantedCapabilities(capabilities: readonly Capability[], admin: boolean): Capability[] {
  return capabilityNames.names.filter((one) => (one === "admin" ? admin : capabilities.includes(one)));
}

/** The capabilities of the user. An admin holds all of them. */
export function effectiveCapabilities({ capabilities }: Pick<User, "capabilities">): Capability[] {
  const all = capabilities.includes("admin");
  return capabilityNames.names.filter((one) => all || capabilities.includes(one));
}

/** The fields of a user that an admin may change; absent fields stay as they are. */
export type UserChange = {
  name?: string | undefined;
  capabilities?: Capability[] | undefined;
  admin?: boolean | undefined;
  status?: "active" | "disabled" | undefined;
};

/**
 * The user after a change, with the next rev. Returns the same object when nothing changes. Enabling a user who
 * has not accepted the invitation restores it.
 */
export function changeUser(user: User, change: UserChange, now: Date): User {
  const enabled: UserStatus = hasAccepted(user) ? "active" : "invited";
  const status = change.status === "active" ? enabled : (change.status ?? user.status);
  const name = change.name ?? user.name;
  const capabilities = grantedCapabilities(
    change.capabilities ?? user.capabilities,
    change.admin ?? user.capabilities.includes("admin"),
  );
  const same =
    status === user.status && name === user.name && capabilities.join() === user.capabilities.join();
  if (same) return user;
  return { ...user, name, capabilities, status, rev: user.rev + 1, updatedAt: now };
}

/** Whether the user counts as an admin: each workspace needs one. */
export function isActiveAdmin({ status, capabilities }: Pick<User, "status" | "capabilities">): boolean {
  return status === "active" && capabilities.includes("admin");
}
