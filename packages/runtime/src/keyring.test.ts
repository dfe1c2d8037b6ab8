import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyring, keyringSchema, MissingKeyError } from "./keyring.ts";

const newKey = () => randomBytes(32).toString("base64");
const place = { service: "notification", collection: "subscriptions", recordId: "whk_1" };

describe("keyring", () => {
  it("decrypt returns the encrypted bytes, and each encryption has a new nonce", () => {
    const ring = createKeyring({ active: "k1", keys: { k1: newKey() } });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (plaintext) => {
        expect(ring.decrypt(ring.encrypt(plaintext, place), place)).toEqual(Buffer.from(plaintext));
      }),
    );
    expect(ring.encrypt("same", place).nonce).not.toEqual(ring.encrypt("same", place).nonce);
    expect(ring.encrypt("same", place).nonce).toHaveLength(12);
  });

  it("decrypt refuses a secret that was moved to another record, collection or service", () => {
    const ring = createKeyring({ active: "k1", keys: { k1: newKey() } });
    const sealed = ring.encrypt("secret", place);
    for (const moved of [{ recordId: "whk_2" }, { collection: "readers" }, { service: "identity" }]) {
      expect(() => ring.decrypt(sealed, { ...place, ...moved })).toThrow();
    }
  });

  it("decrypt refuses changed data, a truncated tag and a changed key id", () => {
    const key = newKey();
    const ring = createKeyring({ active: "k1", keys: { k1: key, k2: key } });
    const sealed = ring.encrypt("secret", place);
    const changed = Buffer.from(sealed.data);
    changed[0] = (changed[0] ?? 0) ^ 1;
    expect(() => ring.decrypt({ ...sealed, data: changed }, place)).toThrow();
    expect(() => ring.decrypt({ ...sealed, data: sealed.data.subarray(0, 10) }, place)).toThrow();
    expect(() => ring.decrypt({ ...sealed, keyId: "k2" }, place)).toThrow();
  });

  it("after a change of the active key, old secrets can be decrypted and new ones use the active key", () => {
    const keys = { k1: newKey(), k2: newKey() };
    const sealed = createKeyring({ active: "k1", keys }).encrypt("old", place);
    const ring = createKeyring({ active: "k2", keys });
    expect(ring.decrypt(sealed, place).toString()).toBe("old");
    expect(ring.encrypt("new", place).keyId).toBe("k2");
  });

  it("decrypt and requireKeys throw MissingKeyError, which names the missing key", () => {
    const sealed = createKeyring({ active: "gone", keys: { gone: newKey() } }).encrypt("x", place);
    const ring = createKeyring({ active: "k1", keys: { k1: newKey() } });
    expect(() => ring.decrypt(sealed, place)).toThrow(MissingKeyError);
    expect(() => ring.requireKeys(["k1", "gone"])).toThrow('lacks the key "gone"');
  });

  it("a keyring without its active key, or with a short key, is refused", () => {
    expect(keyringSchema.safeParse({ active: "k2", keys: { k1: newKey() } }).success).toBe(false);
    expect(keyringSchema.safeParse({ active: "k1", keys: { k1: "c2hvcnQ=" } }).success).toBe(false);
  });

  it("decrypt accepts bytes in the wrapper of the database driver", () => {
    const ring = createKeyring({ active: "k1", keys: { k1: newKey() } });
    const { keyId, nonce, data } = ring.encrypt("secret", place);
    const wrapped = { keyId, nonce: { value: () => nonce }, data: { value: () => data } };
    expect(ring.decrypt(wrapped, place).toString()).toBe("secret");
  });
});
