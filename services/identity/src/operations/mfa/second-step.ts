import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { MfaMethod } from "../../domain/mfa.ts";
import type { DeviceDescription } from "../../domain/session.ts";
import type { User } from "../../domain/user.ts";
import { requestOptions } from "../../webauthn.ts";
import { factorsOf, methodsOf } from "./factors-of.ts";

/** The second step that a sign-in with a right first factor still needs. */
export type SecondStep = {
  challenge: string;
  deviceUuid: string;
  methods: MfaMethod[];
  passkeyOptions: ReturnType<typeof requestOptions> | undefined;
};

type Device = DeviceDescription & { deviceUuid?: string | undefined; ssoCodeId?: string | undefined };

/** The challenge is for this device and the present state of the user. Nothing is stored. */
export async function secondStep(
  context: Context,
  user: User,
  { deviceUuid = randomUUID(), label, platform, appVersion, ssoCodeId }: Device,
): Promise<SecondStep> {
  const { workspaceId, id: userId, rev } = user;
  const challenge = context.challenges.make({
    ...{ purpose: "second_factor", workspaceId, userId, rev },
    ...{ deviceUuid, label, platform, appVersion, ssoCodeId },
  });
  const found = await factorsOf(context, user);
  const methods = methodsOf(context, found);
  const passkeyOptions = methods.includes("passkey")
    ? requestOptions(context.webauthn, challenge, "preferred", found.passkeys)
    : undefined;
  return { challenge, deviceUuid, methods, passkeyOptions };
}
