import {
  PasswordService,
  type ResetUserPasswordResponse,
} from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import {
  decodeConfirmEmailChange,
  decodeRequestEmailChange,
  decodeRequestPasswordReset,
  decodeResetPassword,
} from "../decode/password.ts";
import { encodeUserAccount } from "../encode/user.ts";
import { confirmEmailChange } from "../operations/passwords/confirm-email-change.ts";
import { isValidReset } from "../operations/passwords/is-valid-reset.ts";
import { requestEmailChange } from "../operations/passwords/request-email-change.ts";
import { requestPasswordReset } from "../operations/passwords/request-password-reset.ts";
import { resetPassword } from "../operations/passwords/reset-password.ts";
import { resetUserPassword } from "../operations/passwords/reset-user-password.ts";

/** Requests without a credential take no Idempotency-Key: a token works once. */
export function passwordService(context: Context): Implementation {
  return implement(PasswordService, {
    async requestPasswordReset(request, call) {
      await requestPasswordReset(context, decodeRequestPasswordReset(request), call);
      return {};
    },

    async resetPassword(request, call) {
      await resetPassword(context, decodeResetPassword(request), call);
      return {};
    },

    resetUserPassword: command(
      ({ id }) => ({ id }),
      (input, call) => resetUserPassword(context, input, call),
      ({ user, token = "" }) => ({ user: encodeUserAccount(user), token }),
      {
        isSecretValid: ({ token }: ResetUserPasswordResponse, call) => isValidReset(context, token, call),
      },
    ),

    requestEmailChange: command(
      decodeRequestEmailChange,
      (input, call) => requestEmailChange(context, input, call),
      () => ({}),
    ),

    async confirmEmailChange(request, call) {
      await confirmEmailChange(context, decodeConfirmEmailChange(request), call);
      return {};
    },
  });
}
