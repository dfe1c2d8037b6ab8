import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

/** The keys of a displayed secret. They are made once: a KeyObject hashes six times faster than bytes. */
export type SigningKey = {
  /** UTF-8 of the whole displayed secret, for X-Service-Signature. */
  whole: KeyObject;
  /** The decoded part behind `whsec_`, for the Standard Webhooks trio. */
  decoded: KeyObject;
};

const PREFIX = "whsec_";

/** A new secret as it is shown: `whsec_` + base64 of 32 random bytes. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** The keys of a displayed secret. */
export function signingKey(secret: string): SigningKey {
  return {
    whole: createSecretKey(secret, "utf8"),
    decoded: createSecretKey(secret.slice(PREFIX.length), "base64"),
  };
}

/**
 * The headers by which a receiver checks the sender of `body`: X-Service-Signature over the body, and the three of
 * Standard Webhooks over `id.timestamp.body`. `timestamp` is in seconds. During the overlap of a rotation the previous
 * secret signs too.
 */
export function signatureHeaders(
  message: { id: string; timestamp: number; body: string },
  current: SigningKey,
  previous?: SigningKey,
): Record<string, string> {
  const { id, timestamp, body } = message;
  const signed = `${id}.${timestamp}.${body}`;
  const keys = previous ? [current, previous] : [current];
  return {
    "x-service-signature": ofBody(current, body),
    ...(previous && { "x-service-signature-previous": ofBody(previous, body) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys.map((key) => `v1,${hmac(key.decoded, signed).toString("base64")}`).join(" "),
  };
}

function ofBody(key: SigningKey, body: string): string {
  return `sha256=${hmac(key.whole, body).toString("hex")}`;
}

function hmac(key: KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text, "utf8").digest();
}
