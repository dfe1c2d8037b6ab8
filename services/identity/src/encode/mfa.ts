import type { PasskeySchema } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { MfaMethod } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { Passkey } from "../domain/mfa.ts";
import type { SecondStep } from "../operations/mfa/second-step.ts";
import type { WebAuthn } from "../webauthn.ts";

const methodNames = enumNames(MfaMethod);

type Methods = Pick<SecondStep, "methods" | "passkeyOptions">;

export function encodeMethods({ methods, passkeyOptions }: Methods) {
  return {
    methods: methods.map((one) => methodNames.encode(one)),
    passkeyOptions: passkeyOptions as JsonObject | undefined,
  };
}

export function encodePasskey(passkey: Passkey, { rpId }: WebAuthn): MessageInitShape<typeof PasskeySchema> {
  return { ...encodeInstants(passkey), unusable: passkey.rpId !== rpId };
}
