import type { Tokens, User } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { required } from "../http/required.ts";
import { id, like } from "../http/schemas.ts";

export const userSchema = Type.Object(
  { id: id("usr"), name: like("Ada Lovelace"), email: like("ada@example.com") },
  { title: "User" },
);
export const capabilities = Type.Array(like("view"));

export const sessionSchema = Type.Object(
  {
    access_token: like("at_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds" }),
    refresh_token: like("rt_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"),
    refresh_expires_in: Type.Integer({ description: "Seconds" }),
    device_uuid: like("0b4f8a5e-6d0c-4c0e-9a53-3d8f0f4f2a11"),
    user: userSchema,
    capabilities,
  },
  { title: "Session" },
);

/** Who signed in. */
export function presentUser(user: User | undefined): Type.Static<typeof userSchema> {
  const { id, name, email } = required(user);
  return { id, name, email };
}

/** What a sign-in or a refresh answers. */
export function presentSession(session: {
  tokens?: Tokens;
  deviceUuid: string;
  user?: User;
}): Type.Static<typeof sessionSchema> {
  const { accessToken, expiresIn, refreshToken, refreshExpiresIn } = required(session.tokens);
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresIn,
    refresh_token: refreshToken,
    refresh_expires_in: refreshExpiresIn,
    device_uuid: session.deviceUuid,
    user: presentUser(session.user),
    capabilities: capabilityNames.decodeAll(required(session.user).capabilities),
  };
}
