import { randomUUID } from "node:crypto";
import type { Keyring, SealedPlace } from "@asset-register/runtime";
import { CHALLENGE_MS, type Challenge, type ChallengeContent, type Purpose } from "./domain/challenge.ts";

/** Texts that only this service can make and read. Nothing is stored until one is used. */
export type Challenges = {
  /** In base64url. It is valid for 5 minutes. */
  make(content: ChallengeContent): string;
  /** Undefined for a text that has ended, was made for another purpose, or was not made here. */
  open<P extends Purpose>(purpose: P, text: string): Challenge<P> | undefined;
};

const NONCE_BYTES = 12;

/** A text is the length of the key's id, the id, the nonce and the ciphertext. It is bound to its purpose. */
export function createChallenges(keyring: Pick<Keyring, "encrypt" | "decrypt">, now: () => Date): Challenges {
  const placeOf = (purpose: Purpose): SealedPlace => ({
    ...{ service: "identity", collection: "challenges", recordId: purpose },
  });
  return {
    make(content) {
      const whole = { ...content, id: randomUUID(), endsAt: now().getTime() + CHALLENGE_MS };
      const { keyId, nonce, data } = keyring.encrypt(JSON.stringify(whole), placeOf(content.purpose));
      const id = Buffer.from(keyId);
      return Buffer.concat([Buffer.of(id.length), id, nonce, data]).toString("base64url");
    },
    open<P extends Purpose>(purpose: P, text: string) {
      const bytes = Buffer.from(text, "base64url");
      const idEnd = 1 + (bytes[0] ?? 0);
      const keyId = bytes.subarray(1, idEnd).toString();
      const nonce = bytes.subarray(idEnd, idEnd + NONCE_BYTES);
      try {
        const sealed = { keyId, nonce, data: bytes.subarray(idEnd + NONCE_BYTES) };
        // Only `make` can have written it, for this purpose.
        const content = JSON.parse(keyring.decrypt(sealed, placeOf(purpose)).toString()) as Challenge<P>;
        return content.endsAt > now().getTime() ? { ...content, text } : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
