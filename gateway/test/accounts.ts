import { createHash, randomBytes } from "node:crypto";
import {
  CredentialService,
  type VerifyCredentialResponseSchema,
} from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { type Capability, capabilityNames, type Implementation } from "@asset-register/rpc";
import { checkedText, unauthenticated } from "@asset-register/runtime";
import { serving } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

type Verified = MessageInitShape<typeof VerifyCredentialResponseSchema>;

export type Accounts = {
  implementation: Implementation;
  /** A new API key in a new workspace. */
  apiKey(...scopes: string[]): string;
  /** A new API key that may be used only from these addresses and blocks. */
  apiKeyFrom(addresses: string[], ...scopes: string[]): string;
  /** New API keys in one new workspace. */
  sameWorkspaceKeys(count: number, ...scopes: string[]): string[];
  /** A new access token in a new workspace. */
  session(...capabilities: Capability[]): string;
  /** Removes the credential. Returns the id whose rev identity would raise. */
  revoke(credential: string): string;
  /** Enables or disables the workspace. While it is disabled, the credential is refused. */
  setEnabled(credential: string, enabled: boolean): void;
  /** The credential is valid for `inMs` more. Its expiry by identity's clock is in the year 2000: nobody may use that. */
  setExpiry(credential: string, inMs: number): void;
  /** The workspace of the credential. */
  workspaceOf(credential: string): string;
  /** Gives the session other capabilities. Returns the id whose rev identity would raise. */
  setCapabilities(credential: string, ...capabilities: Capability[]): string;
  /** How often the gateway has asked identity to verify a credential. */
  verifications(): number;
};

const encode = (name: Capability) => capabilityNames.encode(name);
const unique = (): string => randomBytes(8).toString("hex");

/** A fake of identity's CredentialService, with accounts that the test creates. */
export function createAccounts(): Accounts {
  const known = new Map<string, Verified>();
  const disabled = new Set<string>();
  let verifications = 0;
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
        verifications += 1;
        const hash = Buffer.from(credential.value ?? []).toString("hex");
        const found = known.get(hash);
        if (found === undefined || disabled.has(hash)) throw unauthenticated();
        return found;
      },
    }),
    apiKey: (...scopes) => addKey(scopes),
    apiKeyFrom: (addresses, ...scopes) => addKey(scopes, addresses),
    sameWorkspaceKeys(count, ...scopes) {
      const keys = Array.from({ length: count }, () => addKey(scopes));
      const [first] = keys.map((key) => known.get(hashOf(key)));
      for (const key of keys) {
        known.set(hashOf(key), { ...known.get(hashOf(key)), workspace: first?.workspace } as Verified);
      }
      return keys;
    },
    session: (...capabilities) =>
      add(`at_${randomBytes(32).toString("base64url")}`, {
        case: "user",
        value: {
          userId: `usr_${unique()}`,
          sessionId: `ses_${unique()}`,
          deviceUuid: "d",
          capabilities: capabilities.map(encode),
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
    workspaceOf: (credential) => known.get(hashOf(credential))?.workspace?.id ?? "",
    setCapabilities(credential, ...capabilities) {
      const found = known.get(hashOf(credential));
      if (found?.principal?.case !== "user") throw new Error("a session has capabilities");
      const { userId = "", sessionId = "", deviceUuid = "", userRev = 1 } = found.principal.value;
      const value = { userId, sessionId, deviceUuid, userRev, capabilities: capabilities.map(encode) };
      known.set(hashOf(credential), { ...found, rev: 2, principal: { case: "user", value } } as Verified);
      return sessionId;
    },
    verifications: () => verifications,
  };
}
