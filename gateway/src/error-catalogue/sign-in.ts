import { ApiKeyService } from "@asset-register/proto/assetregister/identity/v1/api_key_pb";
import { MfaService } from "@asset-register/proto/assetregister/identity/v1/mfa_pb";
import { PasskeyService } from "@asset-register/proto/assetregister/identity/v1/passkey_pb";
import { PasswordService } from "@asset-register/proto/assetregister/identity/v1/password_pb";
import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { WorkspaceService } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { needsEnrolment } from "../http/route-traits.ts";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

/** Codes of sign-in and second factors. */
export const signInCodes: ErrorCode[] = [
  {
    code: "MFA_ENROLMENT_REQUIRED",
    status: 403,
    cause: "The workspace requires a second factor, and the session was signed in without one.",
    cure: "Set up a second factor at `/me/mfa/totp` or `/me/passkeys`. After that the session is not limited.",
    where: "Surface B, except the routes that set up a second factor",
    appliesTo: needsEnrolment,
  },
  ofRpcs({
    code: "REAUTHENTICATION_REQUIRED",
    status: 403,
    cause: "The request needs a sign-in of the last 10 minutes, and the session is older.",
    cure: "Confirm who you are at `/me/reauthenticate`. Then send the request again, also with the same Idempotency-Key.",
    where: "Second factors; making and rotating API keys; changes of rights; `require_mfa`; single sign-on",
    rpcs: [
      ...[ApiKeyService.method.createApiKey, ApiKeyService.method.rotateApiKey],
      ...[UserService.method.inviteUser, UserService.method.updateUser],
      WorkspaceService.method.updateWorkspace,
      ...[SsoService.method.putSsoConnection, SsoService.method.deleteSsoConnection],
      ...[MfaService.method.startTotp, MfaService.method.confirmTotp, MfaService.method.removeTotp],
      ...[MfaService.method.createRecoveryCodes, MfaService.method.resetMfa],
      ...[PasskeyService.method.startPasskey, PasskeyService.method.createPasskey],
      ...[PasskeyService.method.updatePasskey, PasskeyService.method.deletePasskey],
    ],
  }),
  ofRpcs({
    code: "SSO_REQUIRED",
    status: 403,
    cause: "The workspace requires the sign-in of the company, so passwords are not accepted.",
    cure: "Sign in at `/sso/start`.",
    where: "Sign-in by password; changes and resets of passwords",
    rpcs: [
      ...[SessionService.method.login, SessionService.method.changePassword],
      ...[MfaService.method.loginMfa, MfaService.method.loginPasskey],
      ...[PasswordService.method.resetPassword, PasswordService.method.resetUserPassword],
      PasswordService.method.requestEmailChange,
    ],
  }),
  ofRpcs({
    code: "SSO_NOT_PROVEN",
    status: 409,
    cause:
      "Single sign-on can't be required yet: the caller has not signed in with it within the hour, or for `all` no second admin has.",
    cure: "Sign in with single sign-on, then send the request again. For `all` ask a second admin to do the same first.",
    where: "The connection of single sign-on",
    rpcs: [SsoService.method.putSsoConnection],
  }),
  ofRpcs({
    code: "SSO_DOMAIN_TAKEN",
    status: 409,
    cause: "Another workspace has verified the domain, and its TXT record is still there.",
    cure: "Ask the owner of the domain to remove the other TXT record. Then verify again.",
    where: "The domains of single sign-on",
    rpcs: [SsoService.method.verifySsoDomain],
  }),
  ofRpcs({
    code: "SSO_DOMAIN_IN_USE",
    status: 409,
    cause: "Single sign-on is required, and sign-ins begin with a domain.",
    cure: "Set `require_sso` to `off`, then remove the domain.",
    where: "The domains of single sign-on",
    rpcs: [SsoService.method.removeSsoDomain],
  }),
  ofRpcs({
    code: "MFA_REQUIRED",
    status: 401,
    cause: "The password is right, and the account has a second factor.",
    cure: "Send `challenge` and `device_uuid` to `/login/mfa` within 5 minutes, with a proof of one of `methods`.",
    where: "Sign-in",
    rpcs: [SessionService.method.login],
  }),
  ofRpcs({
    code: "MFA_CHALLENGE_ENDED",
    status: 401,
    cause:
      "The challenge of the sign-in is older than 5 minutes, was used or tried too often, belongs to another device, or the account has changed.",
    cure: "Begin the sign-in again at `/login`.",
    where: "The second step of a sign-in",
    rpcs: [MfaService.method.loginMfa],
  }),
  ofRpcs({
    code: "MFA_NOT_SET_UP",
    status: 409,
    cause: "The account has no second factor, for which recovery codes could stand in.",
    cure: "Set up codes of an app or a passkey. The first of them comes with recovery codes.",
    where: "Recovery codes",
    rpcs: [MfaService.method.createRecoveryCodes],
  }),
  ofRpcs({
    code: "TOO_MANY_PASSKEYS",
    status: 409,
    cause: "The user has 20 passkeys.",
    cure: "Remove one first.",
    where: "Registering a passkey",
    rpcs: [PasskeyService.method.startPasskey, PasskeyService.method.createPasskey],
  }),
];
