import type { Keyring } from "@asset-register/runtime";
import { type SigningKey, signingKey } from "./domain/signing.ts";
import { ENDPOINTS, type Endpoint } from "./store/endpoints.ts";

/** Enough for the endpoints that are busy at one time; a miss costs a decryption. */
const KEPT = 1000;

export type SigningKeys = {
  seal(endpointId: string, secret: string): Endpoint["secret"];
  of(endpoint: Pick<Endpoint, "id" | "secret">): SigningKey;
};

/** Seals the secrets of endpoints, and keeps the keys made from those in use. */
export function createSigningKeys(keyring: Keyring): SigningKeys {
  const keys = new Map<string, SigningKey>();
  const place = (recordId: string) => ({ service: "notification", collection: ENDPOINTS, recordId });
  return {
    seal: (endpointId, secret) => keyring.encrypt(secret, place(endpointId)),
    of: (endpoint) => {
      const known = keys.get(endpoint.id);
      if (known !== undefined) return known;
      const made = signingKey(keyring.decrypt(endpoint.secret, place(endpoint.id)).toString("utf8"));
      if (keys.size >= KEPT) keys.delete(keys.keys().next().value ?? "");
      keys.set(endpoint.id, made);
      return made;
    },
  };
}
