import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeCredential } from "../decode/credential.ts";
import { encodeVerified } from "../encode/credential.ts";
import { verifyCredential } from "../operations/sessions/verify-credential.ts";

export function credentialService(context: Context): Implementation {
  return implement(CredentialService, {
    async verifyCredential(request) {
      const verified = await verifyCredential(context, decodeCredential(request));
      return encodeVerified(verified, context.now());
    },
  });
}
