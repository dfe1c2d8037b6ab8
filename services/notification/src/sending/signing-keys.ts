import { createRecent, type Keyring, type Sealed } from "@asset-register/runtime";
import { type Endpoint, secretsAt } from "../domain/webhooks/endpoint.ts";
import { type SigningKey, signingKey } from "../domain/webhooks/signing.ts";
import { endpointRecords } from "../store/webhooks/endpoints.ts";

/** Enough for the endpoints that are busy at one time. A miss costs a decryption. */
const MAX_KEYS = 1000;

type Sealing = Pick<Endpoint, "id" | "secret" | "previousSecret">;

export type SigningKeys = {
  seal(endpointId: string, secret: string): Sealed;
  /** Whether a secret signs at `now`. */
  isValid(endpoint: Sealing, secret: string, now: Date): boolean;
  /** The keys that sign at `now`. */
  of(endpoint: Sealing, now: Date): { current: SigningKey; previous?: SigningKey | undefined };
};

/** Seals the secrets of endpoints, and keeps the keys of those in use. */
export function createSigningKeys(keyring: Keyring): SigningKeys {
  // By nonce, which no two sealed secrets have in common: a rotated secret is another entry.
  const keys = createRecent<SigningKey>(MAX_KEYS);
  const { collection } = endpointRecords;
  const place = (recordId: string) => ({ service: "notification", collection, recordId });

  const open = (endpointId: string, sealed: Sealed): string =>
    keyring.decrypt(sealed, place(endpointId)).toString("utf8");

  function keyOf(endpointId: string, sealed: Sealed): SigningKey {
    const name = `${endpointId}:${sealed.nonce.toString("base64")}`;
    const known = keys.get(name);
    if (known) return known;
    const made = signingKey(open(endpointId, sealed));
    keys.set(name, made);
    return made;
  }

  return {
    seal: (endpointId, secret) => keyring.encrypt(secret, place(endpointId)),
    isValid: (endpoint, secret, now) => {
      const { current, previous } = secretsAt(endpoint, now);
      return [current, previous].some((sealed) => sealed && open(endpoint.id, sealed) === secret);
    },
    of: (endpoint, now) => {
      const { current, previous } = secretsAt(endpoint, now);
      return {
        current: keyOf(endpoint.id, current),
        previous: previous && keyOf(endpoint.id, previous),
      };
    },
  };
}
