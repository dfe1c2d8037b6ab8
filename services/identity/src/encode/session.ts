import type { DeviceSchema } from "@asset-register/proto/assetregister/identity/v1/device_pb";
import type { LoginResponseSchema } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DeviceView, SignIn } from "../domain/session.ts";
import type { SecondStep } from "../operations/mfa/second-step.ts";
import { encodeMethods } from "./mfa.ts";
import { encodeUser } from "./user.ts";

/** The answer of a sign-in and of a refresh. */
export function encodeSignIn(
  { tokens, session, user }: SignIn,
  now: Date,
): Omit<MessageInitShape<typeof LoginResponseSchema>, "$typeName"> {
  const secondsUntil = (end: Date) => Math.max(0, Math.floor((end.getTime() - now.getTime()) / 1000));
  return {
    tokens: {
      ...encodeInstants(tokens),
      expiresIn: secondsUntil(tokens.accessExpiresAt),
      refreshExpiresIn: secondsUntil(tokens.refreshExpiresAt),
    },
    deviceUuid: session.deviceUuid,
    user: encodeUser(user),
  };
}

/** The answer of the first step of a sign-in: of the whole one, or what the second step needs. */
export function encodeFirstStep(answer: SignIn | SecondStep, now: Date) {
  if ("tokens" in answer) return encodeSignIn(answer, now);
  const { challenge, deviceUuid, ...methods } = answer;
  return { deviceUuid, mfa: { challenge, ...encodeMethods(methods) } };
}

export function encodeDevice({ session, current }: DeviceView): MessageInitShape<typeof DeviceSchema> {
  return { ...encodeInstants(session), current };
}
