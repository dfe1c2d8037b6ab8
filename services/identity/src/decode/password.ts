import type {
  ConfirmEmailChangeRequest,
  RequestEmailChangeRequest,
  RequestPasswordResetRequest,
  ResetPasswordRequest,
} from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { limits } from "@asset-register/proto/limits";
import { parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ConfirmEmailChange } from "../operations/passwords/confirm-email-change.ts";
import type { RequestEmailChange } from "../operations/passwords/request-email-change.ts";
import type { RequestPasswordReset } from "../operations/passwords/request-password-reset.ts";
import type { ResetPassword } from "../operations/passwords/reset-password.ts";
import { newPassword } from "./session.ts";
import { email } from "./user.ts";

const clientAddress = z.string().optional();

// Not checked: an email that is none belongs to no account.
const resetRequest = z.object({ email: z.string().max(limits.email), clientAddress });

export function decodeRequestPasswordReset(request: RequestPasswordResetRequest): RequestPasswordReset {
  return parse(resetRequest, request);
}

const reset = z.object({ token: z.string(), newPassword, clientAddress });

export function decodeResetPassword(request: ResetPasswordRequest): ResetPassword {
  return parse(reset, request);
}

const emailChange = z.object({ email, password: z.string() });

export function decodeRequestEmailChange(request: RequestEmailChangeRequest): RequestEmailChange {
  return parse(emailChange, request);
}

const confirmation = z.object({ token: z.string(), clientAddress });

export function decodeConfirmEmailChange(request: ConfirmEmailChangeRequest): ConfirmEmailChange {
  return parse(confirmation, request);
}
