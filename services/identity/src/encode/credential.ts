import type { VerifyCredentialResponseSchema } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { hasSecondFactor } from "../domain/session.ts";
import type { Verified } from "../operations/sessions/verify-credential.ts";
import { encodeCapabilities } from "./user.ts";
import { encodeWorkspace } from "./workspace.ts";

type Response = MessageInitShape<typeof VerifyCredentialResponseSchema>;

export function encodeVerified(verified: Verified, now: Date): Response {
  const { workspace, expiresAt } = verified;
  return {
    workspace: encodeWorkspace(workspace),
    expiresAt: expiresAt && timestampFromDate(expiresAt),
    expiresInMs: expiresAt && BigInt(Math.max(0, expiresAt.getTime() - now.getTime())),
    ...encodePrincipal(verified),
  };
}

function encodePrincipal(verified: Verified): Pick<Response, "rev" | "principal"> {
  if (verified.kind === "api_key") {
    const { id: keyId, name, scopes, allowedAddresses, rev } = verified.key;
    return { rev, principal: { case: "apiKey", value: { keyId, name, scopes, allowedAddresses } } };
  }
  const { user, session, workspace } = verified;
  const { id: sessionId, deviceUuid, rev } = session;
  const capabilities = encodeCapabilities(user);
  const value = {
    ...{ userId: user.id, sessionId, deviceUuid, capabilities, userRev: user.rev },
    mfaEnrolmentRequired: workspace.requireMfa === true && !hasSecondFactor(session),
  };
  return { rev, principal: { case: "user", value } };
}
