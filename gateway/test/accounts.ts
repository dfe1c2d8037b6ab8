import { createHash, randomBytes } from "node:crypto";
import {
  CredentialService,
  type VerifyCredentialResponseSchema,
} from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { type Capability, capabilityCode, type Implementation } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { serving } from "./upstreams.ts";

type Verified = MessageInitShape<typeof VerifyCredentialResponseSchema>;

export type Accounts = {
  implementation: Implementation;
  /** A new key, in a new workspace of its own. */
  apiKey(...scopes: string[]): string;
  /** A new session, in a new workspace of its own. */
  session(...capabilities: Capability[]): string;
  /** Identity no longer knows it; answers the id whose version it would raise. */
  revoke(credential: string): string;
  /** From now on it has so long left, and ends in the year 2000 by identity's clock. */
  setExpiry(credential: string, inMs: number): void;
  /** How often identity was asked. */
  asked(): number;
};

const unique = (): string => randomBytes(8).toString("hex");

/** The part of identity that says whom a credential stands for, with accounts made by the test. */
export function createAccounts(): Accounts {
  const known = new Map<string, Verified>();
  let asked = 0;
  const hashOf = (credential: string): string => createHash("sha256").update(credential).digest("hex");
  const add = (credential: string, principal: Verified["principal"]): string => {
    known.set(hashOf(credential), {
      workspace: {
        id: `wsp_${unique()}`,
        name: "Test",
        plan: Plan.BUSINESS,
        timeZone: "UTC",
        currency: "EUR",
        rev: 1n,
      },
      version: 1n,
      ...(principal !== undefined && { principal }),
    });
    return credential;
  };
  return {
    implementation: serving(CredentialService, {
      verifyCredential: ({ credential }) => {
        asked += 1;
        const found = known.get(Buffer.from(credential.value ?? []).toString("hex"));
        if (found === undefined) throw unauthenticated();
        return found;
      },
    }),
    apiKey: (...scopes) =>
      add(`ask_live_${randomBytes(18).toString("hex")}`, {
        case: "apiKey",
        value: { keyId: `key_${unique()}`, name: "test", scopes },
      }),
    session: (...capabilities) =>
      add(`at_${randomBytes(32).toString("base64url")}`, {
        case: "user",
        value: {
          userId: `usr_${unique()}`,
          sessionId: `ses_${unique()}`,
          deviceUuid: "d",
          capabilities: capabilities.map(capabilityCode),
          userVersion: 1n,
        },
      }),
    revoke(credential) {
      const principal = known.get(hashOf(credential))?.principal;
      known.delete(hashOf(credential));
      if (principal?.case === "user") return principal.value.sessionId ?? "";
      return principal?.case === "apiKey" ? (principal.value.keyId ?? "") : "";
    },
    setExpiry(credential, inMs) {
      const found = known.get(hashOf(credential));
      known.set(hashOf(credential), {
        ...found,
        expiresInMs: BigInt(inMs),
        expiresAt: timestampFromDate(new Date(Date.UTC(2000))),
      });
    },
    asked: () => asked,
  };
}
