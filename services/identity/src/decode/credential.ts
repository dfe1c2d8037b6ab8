import type { VerifyCredentialRequest } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { invalid } from "@asset-register/runtime";
import type { Credential } from "../operations/sessions/verify-credential.ts";

const SHA256_BYTES = 32;

export function decodeCredential({ credential, clientAddress }: VerifyCredentialRequest): Credential {
  if (credential.case === undefined || credential.value.length !== SHA256_BYTES) {
    throw invalid([{ field: "credential", message: "must be a SHA-256" }]);
  }
  const hash = Buffer.from(credential.value).toString("hex");
  return credential.case === "apiKeySha256" ? { apiKeyHash: hash, clientAddress } : { accessTokenHash: hash };
}
