import { limits } from "@asset-register/proto/limits";
import type { Capability } from "@asset-register/rpc";
import { type FieldViolation, lengthOf } from "@asset-register/runtime";
import { capabilities as all } from "./capability.ts";
import { checkEmail } from "./email.ts";
import { checkPassword } from "./password.ts";
import { text, violation } from "./violations.ts";

export type UserStatus = "invited" | "active" | "disabled";

/** A person who signs in to one workspace. `version` counts changes, its password's too, from 1. */
export type User = {
  id: string;
  workspaceId: string;
  /** As it was typed; accounts are told apart by `emailKey`. */
  email: string;
  name: string;
  /** Empty until an invitation is accepted. */
  passwordHash: string;
  /** As granted; `effectiveCapabilities` says what they amount to. */
  capabilities: Capability[];
  status: UserStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  lastSignedInAt?: Date;
  /** Until an invitation is accepted; then the user is gone. */
  invitationEndsAt?: Date;
};

export type NewUser = { email: string; name: string; password: string };

/** The SHA-256 of an invitation's token, and when it ends. */
export type Invitation = { hash: string; endsAt: Date };

/** How long an invitation stands, in milliseconds. */
export const INVITATION_MS = 7 * 86_400_000;

/** Violations of a user that is to be made; `prefix` stands before each field's name. */
export function checkNewUser({ email, name, password }: NewUser, prefix = ""): FieldViolation[] {
  return [
    ...checkEmail(`${prefix}email`, email),
    ...text(`${prefix}name`, name, limits.accountName),
    ...checkPassword(`${prefix}password`, password, email),
  ];
}

/** Whom an admin invites, and with which rights. */
export type NewInvitation = { email: string; name: string; capabilities: Capability[]; admin: boolean };

/** Violations of an invitation. */
export function checkInvitation({ email, name }: NewInvitation): FieldViolation[] {
  return [...checkEmail("email", email), ...text("name", name, limits.accountName)];
}

/** Violations of what an invited person chooses. */
export function checkAcceptance(
  { name, password }: { name: string; password: string },
  email: string,
): FieldViolation[] {
  return [
    ...violation(
      lengthOf(name.trim()) > limits.accountName,
      "name",
      `must have at most ${limits.accountName} characters`,
    ),
    ...checkPassword("password", password, email),
  ];
}

/** What is stored of a grant: each capability once, in the usual order, admin by its flag alone. */
export function granted(capabilities: readonly Capability[], admin: boolean): Capability[] {
  return all.filter((one) => (one === "admin" ? admin : capabilities.includes(one)));
}

/** What an admin may change of a user. */
export type UserChange = {
  name?: string | undefined;
  capabilities?: Capability[] | undefined;
  admin?: boolean | undefined;
  status?: "active" | "disabled" | undefined;
};

/** Violations of a change. */
export function checkUserChange({ name }: UserChange): FieldViolation[] {
  return name === undefined ? [] : text("name", name, limits.accountName);
}

/**
 * The user after `change`, one version on; the very same object when nothing
 * changes. Enabling somebody who has set no password brings the invitation back.
 */
export function changeUser(user: User, change: UserChange, now: Date): User {
  const enabled: UserStatus = user.passwordHash === "" ? "invited" : "active";
  const status = change.status === "active" ? enabled : (change.status ?? user.status);
  const name = change.name?.trim() ?? user.name;
  const capabilities = granted(
    change.capabilities ?? user.capabilities,
    change.admin ?? user.capabilities.includes("admin"),
  );
  const same =
    status === user.status && name === user.name && capabilities.join() === user.capabilities.join();
  if (same) return user;
  return { ...user, name, capabilities, status, version: user.version + 1, updatedAt: now };
}

/** One of those who keep a workspace from being without an admin. */
export function isActiveAdmin({ status, capabilities }: Pick<User, "status" | "capabilities">): boolean {
  return status === "active" && capabilities.includes("admin");
}
