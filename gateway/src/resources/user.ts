import {
  InviteUserRequestSchema,
  UpdateUserRequestSchema,
  UserAccountSchema,
  UserStatus,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Capability, capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { accountNamed, email, id, instant, like, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, fixed, onlyChanged, required } from "../http/writable.ts";

/** The capabilities that are granted one by one. `admin` is a field of its own and includes all. */
const grantable = capabilityNames.names.filter(
  (name): name is Exclude<Capability, "admin"> => name !== "admin",
);

const grantedSchema = Type.Array(Type.Enum(grantable), {
  maxItems: 100,
  description: "As granted; an admin has all of them",
});

/** A user as the admins of the workspace see it. */
export const userAccount = resource(
  UserAccountSchema,
  "UserAccount",
  {
    id: id("usr"),
    email: fixed(required(email)),
    name: required(accountNamed("Ada Lovelace")),
    capabilities: defaulted(grantedSchema, { shown: Type.Array(like("view")) }),
    admin: defaulted(Type.Boolean()),
    // Only an invitation makes a user `invited`.
    status: onlyChanged(Type.Enum(["active", "disabled"]), { shown: { ...enumOf(UserStatus) } }),
    mfa: Type.Boolean({ description: "The user has a second factor", examples: [false] }),
    rev,
    created_at: nullable(instant()),
    updated_at: nullable(instant()),
    last_signed_in_at: unset(instant()),
    invitation_expires_at: nullable(instant("Of an invited user, who is deleted then")),
  },
  // A newer release may know more capabilities.
  { capabilities: ({ capabilities }) => capabilityNames.decodeAll(capabilities) },
);

export const newUserSchema = newBody(userAccount);
export const toInvitation = requestMessage(InviteUserRequestSchema, newUserSchema);

/** The RPC has no field mask: each of these fields always has a value. */
export const userChangeSchema = mergePatch(userAccount).schema;
export const toUserChange = requestMessage(UpdateUserRequestSchema, userChangeSchema, "capabilities");
