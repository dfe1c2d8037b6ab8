import type {
  ConfirmTotpRequest,
  LoginMfaRequest,
  LoginPasskeyRequest,
  ReauthenticateRequest,
  ResetMfaRequest,
} from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import type {
  CreatePasskeyRequest,
  DeletePasskeyRequest,
  UpdatePasskeyRequest,
} from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { LoginMfa } from "../operations/mfa/login-mfa.ts";
import type { LoginPasskey } from "../operations/mfa/login-passkey.ts";
import type { CreatePasskey } from "../operations/mfa/passkeys.ts";
import type { Reauthenticate } from "../operations/mfa/reauthenticate.ts";
import type { ResetMfa } from "../operations/mfa/reset-mfa.ts";
import { deviceUuid } from "./session.ts";

/** People write codes in groups. */
const code = z.string().transform((text) => text.replace(/\s/g, ""));
const clientAddress = z.string().optional();

/** The parts of WebAuthn's JSON that are used. Other members are ignored. */
const credential = { id: z.string(), rawId: z.string(), type: z.literal("public-key") };
const unused = z
  .object({})
  .optional()
  .transform(() => ({}));
const assertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().optional(),
  }),
  clientExtensionResults: unused,
});
const registration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(z.string().max(50)).max(10).optional(),
  }),
  clientExtensionResults: unused,
});

const loginMfa = z.object({
  challenge: z.string(),
  deviceUuid,
  code: code.optional(),
  recoveryCode: z.string().optional(),
  assertion: assertion.optional(),
  clientAddress,
});

/** @throws AppError VALIDATION_FAILED unless there is exactly one proof */
export function decodeLoginMfa(request: LoginMfaRequest): LoginMfa {
  const input = parse(loginMfa, request);
  const given = [input.code, input.recoveryCode, input.assertion].filter((one) => one !== undefined);
  if (given.length === 1) return input;
  throw invalid([
    { field: "code", message: "must be given, or a recovery code, or an assertion: one of them" },
  ]);
}

const loginPasskey = z.object({
  assertion,
  deviceUuid: deviceUuid.optional(),
  label: field.optionalText(limits.deviceText),
  platform: field.optionalText(limits.deviceText),
  appVersion: field.optionalText(limits.deviceText),
  clientAddress,
});

export function decodeLoginPasskey(request: LoginPasskeyRequest): LoginPasskey {
  return parse(loginPasskey, request);
}

const reauthentication = z.object({
  password: z.string().optional(),
  code: code.optional(),
  assertion: assertion.optional(),
});

export function decodeReauthenticate(request: ReauthenticateRequest): Reauthenticate {
  return parse(reauthentication, request);
}

const confirmation = z.object({ code });
export const decodeConfirmTotp = (request: ConfirmTotpRequest) => parse(confirmation, request);

const ofRecord = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });
export const decodeResetMfa = (request: ResetMfaRequest): ResetMfa => parse(ofRecord, request);
export const decodeDeletePasskey = (request: DeletePasskeyRequest) => parse(ofRecord, request);

const newPasskey = z.object({ name: field.text(limits.accountName), registration });
export function decodeCreatePasskey(request: CreatePasskeyRequest): CreatePasskey {
  return parse(newPasskey, request);
}

const renaming = ofRecord.extend({ name: field.text(limits.accountName).optional() });
export const decodeUpdatePasskey = (request: UpdatePasskeyRequest) => parse(renaming, request);
