import type {
  ChangePasswordRequest,
  LoginRequest,
  RefreshRequest,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { ChangePassword } from "../operations/sessions/change-password.ts";
import type { Login } from "../operations/sessions/login.ts";
import type { Refresh } from "../operations/sessions/refresh.ts";

export const deviceUuid = z.guid("must be a UUID").toLowerCase();

/** A password that is to be set (NIST SP 800-63B: no kinds of characters are required). assertNewPassword checks its strength. */
export const newPassword = z
  .string()
  .min(limits.passwordLeast, `must have at least ${limits.passwordLeast} characters`)
  .max(limits.newPassword, `must have at most ${limits.newPassword} characters`);

const loginSchema = z.object({
  // Not checked: an email that is none belongs to no account.
  email: z.string(),
  password: z.string(),
  deviceUuid: deviceUuid.optional(),
  label: field.optionalText(limits.deviceText),
  platform: field.optionalText(limits.deviceText),
  appVersion: field.optionalText(limits.deviceText),
  clientAddress: z.string().optional(),
});

export function decodeLogin(request: LoginRequest): Login {
  return parse(loginSchema, request);
}

const refreshSchema = z.object({
  refreshToken: z.string(),
  deviceUuid,
  idempotencyKey: z.string().optional(),
  clientAddress: z.string().optional(),
  userId: z.string().optional(),
});

export function decodeRefresh(request: RefreshRequest): Refresh {
  return parse(refreshSchema, request);
}

const passwordChange = z.object({ currentPassword: z.string(), newPassword });

export function decodeChangePassword(request: ChangePasswordRequest): ChangePassword {
  return parse(passwordChange, request);
}
