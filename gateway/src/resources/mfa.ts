import { PasskeySchema } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { type MfaChallenge, MfaMethod } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { enumNames } from "@asset-register/rpc";
import type { JsonObject } from "@bufbuild/protobuf";
import Type from "typebox";
import { ProblemError } from "../errors.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { resource } from "../http/resource.ts";
import { accountNamed, body, exampleId, id, instant, nullable, rev, unset } from "../http/schemas.ts";
import { required } from "../http/writable.ts";

const anyObject = (description: string, example: object) =>
  Type.Unsafe<JsonObject>({ type: "object", additionalProperties: true, description, examples: [example] });

export const requestOptionsSchema = anyObject(
  "PublicKeyCredentialRequestOptionsJSON of WebAuthn, for `navigator.credentials.get`",
  { challenge: "AmsxQ2hhbGxlbmdl", rpId: "assets.example.com", userVerification: "required" },
);
export const creationOptionsSchema = anyObject(
  "PublicKeyCredentialCreationOptionsJSON of WebAuthn, for `navigator.credentials.create`",
  { challenge: "AmsxQ2hhbGxlbmdl", rp: { name: "Asset Register" } },
);

const base64 = (maxLength: number) => Type.String({ minLength: 1, maxLength });
const credential = {
  id: base64(1400),
  rawId: base64(1400),
  type: Type.Literal("public-key"),
};
/** Browsers send more members than are used. */
const openObject = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true });
const RESPONSE = { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0" };
const CREDENTIAL = { id: exampleId("pky"), rawId: exampleId("pky"), type: "public-key" };

/** Members of WebAuthn that are not named here are ignored. */
export const assertionSchema = Type.Object(
  {
    ...credential,
    response: openObject({
      clientDataJSON: base64(4000),
      authenticatorData: base64(4000),
      signature: base64(8000),
      userHandle: Type.Optional(base64(200)),
    }),
  },
  {
    additionalProperties: true,
    description: "AuthenticationResponseJSON of WebAuthn: `toJSON()` of the credential",
    examples: [{ ...CREDENTIAL, response: { ...RESPONSE, authenticatorData: "AA", signature: "AA" } }],
  },
);
export const registrationSchema = Type.Object(
  {
    ...credential,
    response: openObject({
      clientDataJSON: base64(4000),
      attestationObject: base64(20_000),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
    }),
  },
  {
    additionalProperties: true,
    description: "RegistrationResponseJSON of WebAuthn: `toJSON()` of the credential",
    examples: [{ ...CREDENTIAL, response: { ...RESPONSE, attestationObject: "oA" } }],
  },
);

export const code = Type.String({ minLength: 1, maxLength: 20, examples: ["123456"] });
export const methodsSchema = Type.Array(enumOf(MfaMethod), { examples: [["totp"]] });

const methodNames = enumNames(MfaMethod);
export const presentMethods = (methods: MfaMethod[]) => methodNames.decodeAll(methods);

/** The members of a problem with MFA_REQUIRED: the second step of a sign-in. */
export function mfaRequired(
  { challenge, methods, passkeyOptions }: MfaChallenge,
  deviceUuid: string,
): ProblemError {
  const init = { kind: "unauthenticated", code: "MFA_REQUIRED" } as const;
  return new ProblemError(
    { ...init, message: "The password is right. A second factor is needed, see /login/mfa." },
    {
      challenge,
      device_uuid: deviceUuid,
      methods: presentMethods(methods),
      ...(passkeyOptions && { passkey_options: passkeyOptions }),
    },
  );
}

/** A passkey of the caller. */
export const passkey = resource(PasskeySchema, "Passkey", {
  id: id("pky"),
  name: required(accountNamed("Ada's phone")),
  created_at: nullable(instant()),
  last_used_at: unset(instant()),
  unusable: Type.Boolean({ description: "It is for an earlier address of the platform", examples: [false] }),
  synced: Type.Boolean({ description: "It may be on several devices of its owner", examples: [true] }),
  rev,
});

export const newPasskeySchema = body({ name: accountNamed("Ada's phone"), registration: registrationSchema });
/** The RPC has no field mask. */
export const passkeyChangeSchema = mergePatch(passkey).schema;

export const recoveryCodes = Type.Array(Type.String(), {
  description:
    "Each signs in once in place of another factor; shown only here. Empty unless this is the first factor",
  examples: [["7k2mx-q0d9h"]],
});

/** The second factors of the caller. */
export const mfaSchema = Type.Object(
  {
    totp: Type.Boolean({ description: "Codes of an app are on" }),
    passkeys: Type.Integer({ description: "How many, also unusable ones", examples: [1] }),
    recovery_codes_left: Type.Integer({ examples: [10] }),
    password: Type.Boolean({ description: "The account has a password", examples: [true] }),
  },
  { title: "Mfa" },
);

export const startedTotpSchema = Type.Object(
  {
    secret: Type.String({
      description: "In base32, shown only here",
      examples: ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"],
    }),
    uri: Type.String({
      description: "The same for a QR code",
      examples: [
        "otpauth://totp/Asset%20Register:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Asset%20Register",
      ],
    }),
  },
  { title: "StartedTotp" },
);
export const codesSchema = Type.Object({ recovery_codes: recoveryCodes }, { title: "RecoveryCodes" });
