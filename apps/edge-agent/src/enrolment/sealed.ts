import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;

const sealedSchema = z.object({
  cipher: z.literal(CIPHER),
  iv: z.string(),
  tag: z.string(),
  data: z.string(),
});

/** @throws Error if the text is not 32 bytes in base64 */
export function parseKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length === KEY_BYTES) return key;
  throw new Error("AGENT_KEY has to be 32 bytes in base64: openssl rand -base64 32");
}

/** Encrypts a text. The result is JSON. */
export function seal(text: string, key: Buffer): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const [tag, encoded] = [cipher.getAuthTag().toString("base64"), data.toString("base64")];
  return JSON.stringify({ cipher: CIPHER, iv: iv.toString("base64"), tag, data: encoded });
}

export const isSealed = (value: unknown): boolean => sealedSchema.safeParse(value).success;

/** @throws Error if the key is another one, or the text was changed */
export function unseal(value: unknown, key: Buffer): string {
  const { iv, tag, data } = sealedSchema.parse(value);
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64"));
  decipher.setAuthTag(Buffer.from(tag, "base64"));
  return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]).toString("utf8");
}
