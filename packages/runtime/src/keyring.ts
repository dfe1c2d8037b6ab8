import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from "node:crypto";
import { z } from "zod";

/** What is stored in place of a secret. `data` is the ciphertext followed by its 16-byte tag. */
export type Sealed = { keyId: string; nonce: Buffer; data: Buffer };

/** Bytes as the store gives them back: a Buffer, or the driver's own wrapper of one. */
type Bytes = Uint8Array | { value(): Uint8Array };

/** Where the secret stands: bound to the ciphertext, so that one can't be moved to another record. */
export type SealedPlace = { service: string; collection: string; recordId: string };

export type Keyring = {
  encrypt(plaintext: Uint8Array | string, place: SealedPlace): Sealed;
  /** @throws MissingKeyError when the key is gone, Error when the data or its place was changed. */
  decrypt(sealed: { keyId: string; nonce: Bytes; data: Bytes }, place: SealedPlace): Buffer;
  /** The key that new secrets are encrypted with. */
  active: string;
  keyIds: string[];
  /** @throws MissingKeyError unless every id is held; call it at boot with the ids in use. */
  requireKeys(ids: Iterable<string>): void;
};

/** A stored secret names a key that the keyring does not hold. */
export class MissingKeyError extends Error {
  constructor(id: string, held: string[]) {
    super(
      `KEYRING lacks the key "${id}" that stored secrets are encrypted with; it holds ${held.join(", ")}`,
    );
    this.name = "MissingKeyError";
  }
}

/** NIST SP 800-38D: a random nonce of 96 bits. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Shape of the KEYRING setting: {"active": "k2", "keys": {"k1": "<base64 of 32 bytes>", "k2": ...}}. */
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
  .refine((ring) => ring.keys[ring.active] !== undefined, "keys lacks the active key");

export type KeyringSetting = z.output<typeof keyringSchema>;

/** AES-256-GCM under named keys. @throws Error when the setting is malformed or lacks its active key. */
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

/** JSON keeps the parts apart: no two places share an encoding. */
function associatedData(place: SealedPlace, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([place.service, place.collection, place.recordId, keyId]), "utf8");
}

function bytesOf(bytes: Bytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.value();
}
