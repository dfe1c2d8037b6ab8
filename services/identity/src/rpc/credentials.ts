import {
  CredentialService,
  type VerifyCredentialRequest,
  type VerifyCredentialResponseSchema,
} from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Identity } from "../context.ts";
import { capabilityMessages, workspaceMessage } from "../encode.ts";
import { type Credential, type Verified, verifyCredential } from "../operations/verify-credential.ts";

export function credentialRpc(identity: Identity): Implementation {
  return implement(CredentialService, {
    verifyCredential: async (request) =>
      encode(await verifyCredential(identity, decode(request)), identity.clock()),
  });
}

function decode({ credential }: VerifyCredentialRequest): Credential {
  if (credential.case === undefined || credential.value.length !== 32) {
    throw invalid([{ field: "credential", message: "must be a SHA-256" }]);
  }
  const hash = Buffer.from(credential.value).toString("hex");
  return credential.case === "apiKeySha256" ? { apiKeyHash: hash } : { accessTokenHash: hash };
}

function encode(verified: Verified, now: Date): MessageInitShape<typeof VerifyCredentialResponseSchema> {
  const { workspace, expiresAt } = verified;
  return {
    workspace: workspaceMessage(workspace),
    expiresAt: expiresAt && timestampFromDate(expiresAt),
    expiresInMs: expiresAt && BigInt(Math.max(0, expiresAt.getTime() - now.getTime())),
    ...(verified.kind === "user" ? userPrincipal(verified) : keyPrincipal(verified)),
  };
}

const userPrincipal = ({ user, session }: Extract<Verified, { kind: "user" }>) => ({
  version: session.version,
  principal: {
    case: "user" as const,
    value: {
      userId: user.id,
      sessionId: session.id,
      deviceUuid: session.deviceUuid,
      capabilities: capabilityMessages(user),
      userVersion: user.version,
    },
  },
});

const keyPrincipal = ({ key }: Extract<Verified, { kind: "api_key" }>) => ({
  version: key.version,
  principal: {
    case: "apiKey" as const,
    value: {
      keyId: key.id,
      name: key.name,
      scopes: key.scopes,
      allowedAddresses: key.allowedAddresses,
    },
  },
});
