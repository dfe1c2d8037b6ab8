import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import { z } from "zod";

/** The stored form of a secret. `data` is the ciphertext followed by its 16-byte tag. */
export type Sealed = { keyId: string; nonce: Buffer; data: Buffer };

/** Bytes as the database returns them: a Buffer, or the driver's wrapper of one. */
type Bytes = Uint8Array | { value(): Uint8Array };

/** The place of a secret. The ciphertext is bound to it, so that it cannot be moved to another record. */
export type SealedPlace = { service: string; collection: string; recordId: string };

export type Keyring = {
  encrypt(plaintext: Uint8Array | string, place: SealedPlace): Sealed;
  /**
   * Decrypts a secret.
   *
   * @throws MissingKeyError if the key is missing, Error if the data or its place was changed
   */
  decrypt(sealed: { keyId: string; nonce: Bytes; data: Bytes }, place: SealedPlace): Buffer;
  /** Id of the key that encrypts new secrets. */
  active: string;
  keyIds: string[];
  /**
   * Checks that the keyring contains all ids. Call it at boot with the ids in use.
   *
   * @throws MissingKeyError
   */
  requireKeys(ids: Iterable<string>): void;
};

/** A stored secret needs a key that the keyring does not contain. */
export class MissingKeyError extends Error {
  constructor(id: string, held: string[]) {
    super(`KEYRING lacks the key "${id}", which encrypts stored secrets. It contains ${held.join(", ")}.`);
    this.name = "MissingKeyError";
  }
}

/** 96 bits, as NIST SP 800-38D requires for a random nonce. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Schema of the KEYRING setting: {"active": "k2", "keys": {"k1": "<base64 of 32 bytes>", "k2": ...}}. */
export const keyringSchema = z
  .object({
    active: z.string().min(1),
    keys: z.record(
      z.string().min(1),
      z
        .string()
        .refine((text) => Buffer.from(text, "base64").length === KEY_BYTES, "must be 32 bytes in base64"),
    ),
  })
  .refine((ring) => ring.keys[ring.active] !== undefined, "keys must contain the active key");

export type KeyringSetting = z.output<typeof keyringSchema>;

/**
 * Creates a keyring, which encrypts with AES-256-GCM and named keys.
 *
 * @throws Error if the setting is malformed or lacks its active key
 */
export function createKeyring(setting: KeyringSetting): Keyring {
  const { active, keys } = keyringSchema.parse(setting);
  const keyIds = Object.keys(keys);
  const held = new Map(
    Object.entries(keys).map(([id, base64]) => [id, createSecretKey(Buffer.from(base64, "base64"))]),
  );

  function keyOf(id: string) {
    const key = held.get(id);
    if (key === undefined) throw new MissingKeyError(id, keyIds);
    return key;
  }

  return {
    active,
    keyIds,
    requireKeys: (ids) => {
      for (const id of ids) keyOf(id);
    },
    encrypt: (plaintext, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyOf(active), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(place, active));
      const bytes = typeof plaintext === "string" ? Buffer.from(plaintext, "utf8") : plaintext;
      const data = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
      return { keyId: active, nonce, data };
    },
    decrypt: (sealed, place) => {
      const data = bytesOf(sealed.data);
      const key = keyOf(sealed.keyId);
      const decipher = createDecipheriv("aes-256-gcm", key, bytesOf(sealed.nonce), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(associatedData(place, sealed.keyId));
      decipher.setAuthTag(data.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(data.subarray(0, -TAG_BYTES)), decipher.final()]);
    },
  };
}

/** JSON separates the parts, so different places have different encodings. */
function associatedData(place: SealedPlace, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([place.service, place.collection, place.recordId, keyId]), "utf8");
}

function bytesOf(bytes: Bytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.value();
}
