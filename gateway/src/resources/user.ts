import { type UserAccount, UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Capability, capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { presentInstant } from "../http/present.ts";
import { id, instant, like, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

/** What can be granted one by one; `admin` is a field of its own and holds all. */
const GRANTABLE = [
  "view",
  "create",
  "edit",
  "delete",
  "manage",
  "finance",
  "audit",
  "devices",
  "alerts",
] as const satisfies readonly Capability[];

export const grantedSchema = Type.Array(Type.Enum(GRANTABLE), {
  maxItems: 100,
  description: "As granted; an admin holds all of them besides",
});

export const toCapabilities = (names: readonly Capability[]) =>
  names.map((name) => capabilityNames.encode(name));

const userStatus = wireEnum({
  invited: UserStatus.INVITED,
  active: UserStatus.ACTIVE,
  disabled: UserStatus.DISABLED,
});

/** What an admin may make of a user. */
export const newStatus = wireEnum({ active: UserStatus.ACTIVE, disabled: UserStatus.DISABLED });

export const userAccountSchema = Type.Object(
  {
    id: id("usr"),
    email: like("ada@example.com"),
    name: like("Ada Lovelace"),
    capabilities: Type.Array(like("view")),
    admin: Type.Boolean(),
    status: userStatus.schema,
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
    last_signed_in_at: nullable(instant()),
    invitation_expires_at: nullable(instant("Of who is invited; then the user is gone")),
  },
  { title: "UserAccount" },
);

/** A user as the workspace's admins see one. */
export function presentUserAccount(user: UserAccount): Type.Static<typeof userAccountSchema> {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    capabilities: capabilityNames.decodeAll(user.capabilities),
    admin: user.admin,
    status: userStatus.name(user.status),
    rev: user.rev,
    created_at: presentInstant(user.createdAt),
    updated_at: presentInstant(user.updatedAt),
    last_signed_in_at: presentInstant(user.lastSignedInAt),
    invitation_expires_at: presentInstant(user.invitationExpiresAt),
  };
}
