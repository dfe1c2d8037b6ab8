import {
  type ConfirmTotpResponse,
  type CreateRecoveryCodesResponse,
  MfaService,
  type StartTotpResponse,
} from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { forbidden, unauthenticated } from "@asset-register/runtime";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import {
  decodeConfirmTotp,
  decodeLoginMfa,
  decodeLoginPasskey,
  decodeReauthenticate,
  decodeResetMfa,
} from "../decode/mfa.ts";
import { encodeMethods } from "../encode/mfa.ts";
import { encodeSignIn } from "../encode/session.ts";
import { encodeUserAccount } from "../encode/user.ts";
import { factorsOf } from "../operations/mfa/factors-of.ts";
import { loginMfa } from "../operations/mfa/login-mfa.ts";
import { loginPasskey, startPasskeyLogin } from "../operations/mfa/login-passkey.ts";
import { reauthenticate, startReauthentication } from "../operations/mfa/reauthenticate.ts";
import { areValid, createRecoveryCodes } from "../operations/mfa/recovery-codes.ts";
import { resetMfa } from "../operations/mfa/reset-mfa.ts";
import { confirmTotp, isStarted, removeTotp, startTotp } from "../operations/mfa/totp.ts";

const nothing = () => ({});

export function mfaService(context: Context): Implementation {
  const { stores, now } = context;
  return implement(MfaService, {
    async getMfa(_request, { principal }) {
      if (principal.kind !== "user") throw forbidden("Only users have second factors.");
      const user = await stores.users.get(principal.workspaceId, principal.id);
      if (user === undefined) throw unauthenticated();
      const { factors, passkeys } = await factorsOf(context, user);
      return {
        totp: factors?.totp !== undefined,
        passkeys: passkeys.length,
        recoveryCodesLeft: factors?.recovery?.hashes.length ?? 0,
        password: user.passwordHash !== undefined,
      };
    },

    startTotp: command(
      nothing,
      (_input, call) => startTotp(context, call),
      (started) => started,
      { isSecretValid: ({ secret }: StartTotpResponse, call) => isStarted(context, secret, call) },
    ),

    confirmTotp: command(
      decodeConfirmTotp,
      (input, call) => confirmTotp(context, input, call),
      ({ recoveryCodes }) => ({ recoveryCodes }),
      {
        isSecretValid: ({ recoveryCodes }: ConfirmTotpResponse, call) =>
          areValid(context, recoveryCodes, call),
      },
    ),

    removeTotp: command(nothing, (_input, call) => removeTotp(context, call), nothing),

    createRecoveryCodes: command(
      nothing,
      (_input, call) => createRecoveryCodes(context, call),
      ({ recoveryCodes }) => ({ recoveryCodes }),
      {
        isSecretValid: ({ recoveryCodes }: CreateRecoveryCodesResponse, call) =>
          areValid(context, recoveryCodes, call),
      },
    ),

    resetMfa: command(
      decodeResetMfa,
      (input, call) => resetMfa(context, input, call),
      (user) => ({ user: encodeUserAccount(user) }),
    ),

    async loginMfa(request, call) {
      return encodeSignIn(await loginMfa(context, decodeLoginMfa(request), call), now());
    },

    async startPasskeyLogin(request) {
      return { options: (await startPasskeyLogin(context, request)) as JsonObject };
    },

    async loginPasskey(request, call) {
      return encodeSignIn(await loginPasskey(context, decodeLoginPasskey(request), call), now());
    },

    async startReauthentication(_request, call) {
      const { password, sso, ...methods } = await startReauthentication(context, call);
      return { password, sso, ...encodeMethods(methods) };
    },

    reauthenticate: command(
      decodeReauthenticate,
      (input, call) => reauthenticate(context, input, call),
      nothing,
    ),
  });
}
