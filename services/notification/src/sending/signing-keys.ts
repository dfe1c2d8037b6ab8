import type { Keyring, Sealed } from "@asset-register/runtime";
import type { Endpoint } from "../domain/endpoint.ts";
import { type SigningKey, signingKey } from "../domain/signing.ts";
import { endpointRecords } from "../store/endpoints.ts";

/** Enough for the endpoints that are busy at one time. A miss costs a decryption. */
const MAX_KEYS = 1000;

export type SigningKeys = {
  seal(endpointId: string, secret: string): Sealed;
  of(endpoint: Pick<Endpoint, "id" | "secret">): SigningKey;
};

/** Seals the secrets of endpoints, and keeps the keys of those in use. */
export function createSigningKeys(keyring: Keyring): SigningKeys {
  const keys = new Map<string, SigningKey>();
  const { collection } = endpointRecords;
  const place = (recordId: string) => ({ service: "notification", collection, recordId });
  return {
    seal: (endpointId, secret) => keyring.encrypt(secret, place(endpointId)),
    of: ({ id, secret }) => {
      const known = keys.get(id);
      if (known) return known;
      const made = signingKey(keyring.decrypt(secret, place(id)).toString("utf8"));
      if (keys.size >= MAX_KEYS) keys.delete(keys.keys().next().value ?? "");
      keys.set(id, made);
      return made;
    },
  };
}
