import type { UserSchema } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { type UserAccountSchema, UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { capabilityNames, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { effectiveCapabilities, type User } from "../domain/user.ts";

export const userStatusNames = enumNames(UserStatus);

export const encodeCapabilities = (user: User) =>
  effectiveCapabilities(user).map((name) => capabilityNames.encode(name));

export function encodeUser(user: User): MessageInitShape<typeof UserSchema> {
  const { id, email, name } = user;
  return { id, email, name, capabilities: encodeCapabilities(user) };
}

/** The user as admins see it. */
export function encodeUserAccount(user: User): MessageInitShape<typeof UserAccountSchema> {
  return {
    ...encodeInstants(user),
    capabilities: user.capabilities
      .filter((one) => one !== "admin")
      .map((name) => capabilityNames.encode(name)),
    admin: user.capabilities.includes("admin"),
    status: userStatusNames.encode(user.status),
    mfa: user.hasMfa === true,
  };
}
