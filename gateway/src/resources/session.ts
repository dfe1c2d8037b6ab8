import { type LoginResponse, UserSchema } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { limits } from "@asset-register/proto/limits";
import { capabilityNames } from "@asset-register/rpc";
import Type from "typebox";
import { required } from "../http/required.ts";
import { resource } from "../http/resource.ts";
import { id, like } from "../http/schemas.ts";

/** A signed-in user. */
export const user = resource(UserSchema, "User", {
  id: id("usr"),
  name: like("Ada Lovelace"),
  email: like("ada@example.com"),
});
export const capabilities = Type.Array(like("view"));

const deviceText = (example: string) =>
  Type.Optional(Type.String({ maxLength: limits.deviceText, examples: [example] }));
export const deviceUuid = Type.String({
  format: "uuid",
  description: "Id of the device; a user has one session on each device",
});

export const cookie = Type.Optional(
  Type.Boolean({
    description: "Puts the refresh token into a cookie that scripts can't read, in place of the response",
    examples: [false],
  }),
);

/** The description of the device that signs in. */
export const device = {
  device_uuid: Type.Optional(deviceUuid),
  label: deviceText("Ada's phone"),
  platform: deviceText("ios"),
  app_version: deviceText("4.2.0"),
};

export const sessionSchema = Type.Object(
  {
    access_token: like("at_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds" }),
    refresh_token: Type.Optional(
      Type.String({
        description: "Absent if the request asked for a cookie",
        examples: ["rt_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
      }),
    ),
    refresh_expires_in: Type.Integer({ description: "Seconds" }),
    device_uuid: like("0b4f8a5e-6d0c-4c0e-9a53-3d8f0f4f2a11"),
    user: user.schema,
    capabilities,
  },
  { title: "Session" },
);

/** The answer of a sign-in or a refresh. It is not a resource: tokens are shown once and have no record. */
export function presentSession(
  session: Pick<LoginResponse, "tokens" | "deviceUuid" | "user">,
): Type.Static<typeof sessionSchema> {
  const { accessToken, expiresIn, refreshToken, refreshExpiresIn } = required(session.tokens);
  const signedIn = required(session.user);
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresIn,
    refresh_token: refreshToken,
    refresh_expires_in: refreshExpiresIn,
    device_uuid: session.deviceUuid,
    user: user.present(signedIn),
    capabilities: capabilityNames.decodeAll(signedIn.capabilities),
  };
}
