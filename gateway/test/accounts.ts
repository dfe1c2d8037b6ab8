import { createHash, randomBytes } from "node:crypto";
import {
  CredentialService,
  type VerifyCredentialResponseSchema,
} from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { type Capability, capabilityNames, type Implementation } from "@asset-register/rpc";
import { checkedText, unauthenticated } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { serving } from "./upstreams.ts";

type Verified = MessageInitShape<typeof VerifyCredentialResponseSchema>;

export type Accounts = {
  implementation: Implementation;
  /** A new key, in a new workspace of its own. */
  apiKey(...scopes: string[]): string;
  /** A new key that may be used from these addresses and blocks alone. */
  apiKeyFrom(addresses: string[], ...scopes: string[]): string;
  /** A new session, in a new workspace of its own. */
  session(...capabilities: Capability[]): string;
  /** Identity no longer knows it; answers the id whose rev it would raise. */
  revoke(credential: string): string;
  /** Whether its workspace is: while it is not, the credential is refused. */
  setEnabled(credential: string, enabled: boolean): void;
  /** From now on it has so long left, and ends in the year 2000 by identity's clock. */
  setExpiry(credential: string, inMs: number): void;
  /** How often identity was asked. */
  asked(): number;
};

const unique = (): string => randomBytes(8).toString("hex");

/** The part of identity that says whom a credential stands for, with accounts made by the test. */
export function createAccounts(): Accounts {
  const known = new Map<string, Verified>();
  const disabled = new Set<string>();
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
        rev: 1,
      },
      rev: 1,
      ...(principal !== undefined && { principal }),
    });
    return credential;
  };
  const addKey = (scopes: string[], allowedAddresses: string[] = []): string =>
    add(checkedText("ask_live_", randomBytes(32)), {
      case: "apiKey",
      value: { keyId: `key_${unique()}`, name: "test", scopes, allowedAddresses },
    });
  return {
    implementation: serving(CredentialService, {
      verifyCredential: ({ credential }) => {
        asked += 1;
        const hash = Buffer.from(credential.value ?? []).toString("hex");
        const found = known.get(hash);
        if (found === undefined || disabled.has(hash)) throw unauthenticated();
        return found;
      },
    }),
    apiKey: (...scopes) => addKey(scopes),
    apiKeyFrom: (addresses, ...scopes) => addKey(scopes, addresses),
    session: (...capabilities) =>
      add(`at_${randomBytes(32).toString("base64url")}`, {
        case: "user",
        value: {
          userId: `usr_${unique()}`,
          sessionId: `ses_${unique()}`,
          deviceUuid: "d",
          capabilities: capabilities.map((name) => capabilityNames.encode(name)),
          userRev: 1,
        },
      }),
    revoke(credential) {
      const principal = known.get(hashOf(credential))?.principal;
      known.delete(hashOf(credential));
      if (principal?.case === "user") return principal.value.sessionId ?? "";
      return principal?.case === "apiKey" ? (principal.value.keyId ?? "") : "";
    },
    setEnabled(credential, enabled) {
      if (enabled) disabled.delete(hashOf(credential));
      else disabled.add(hashOf(credential));
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
