import { UserAccountSchema, UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Capability, capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { id, instant, like, nullable, rev, unset } from "../http/schemas.ts";

/** The capabilities that are granted one by one. `admin` is a field of its own and includes all. */
const grantable = capabilityNames.names.filter(
  (name): name is Exclude<Capability, "admin"> => name !== "admin",
);

export const grantedSchema = Type.Array(Type.Enum(grantable), {
  maxItems: 100,
  description: "As granted; an admin has all of them",
});

/** A user as the admins of the workspace see it. */
export const userAccount = resource(
  UserAccountSchema,
  "UserAccount",
  {
    id: id("usr"),
    email: like("ada@example.com"),
    name: like("Ada Lovelace"),
    capabilities: Type.Array(like("view")),
    admin: Type.Boolean(),
    status: enumOf(UserStatus),
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
    last_signed_in_at: unset(instant()),
    invitation_expires_at: nullable(instant("Of an invited user, who is deleted then")),
  },
  // A newer release may know more capabilities.
  { capabilities: ({ capabilities }) => capabilityNames.decodeAll(capabilities) },
);
