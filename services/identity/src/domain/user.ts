import type { Capability } from "@asset-register/rpc";
import type { FieldViolation } from "@asset-register/runtime";
import { checkEmail } from "./email.ts";
import { checkPassword } from "./password.ts";
import { text } from "./violations.ts";

export type UserStatus = "active" | "disabled";

/** A person who signs in to one workspace. `version` is raised by each change of rights. */
export type User = {
  id: string;
  workspaceId: string;
  /** As it was typed; accounts are told apart by `emailKey`. */
  email: string;
  name: string;
  passwordHash: string;
  capabilities: Capability[];
  status: UserStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
};

export type NewUser = { email: string; name: string; password: string };

/** Violations of a user that is to be made; `prefix` stands before each field's name. */
export function checkNewUser({ email, name, password }: NewUser, prefix = ""): FieldViolation[] {
  return [
    ...checkEmail(`${prefix}email`, email),
    ...text(`${prefix}name`, name, 100),
    ...checkPassword(`${prefix}password`, password, email),
  ];
}
