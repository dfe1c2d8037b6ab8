import { generateKeyPairSync, randomBytes } from "node:crypto";

export type TestKeys = { privateKeyPem: Record<string, string>; trustedKeys: Record<string, string[]> };

/** A new Ed25519 key pair for each named service, and the public keys that all of them trust. */
export function testKeys(...names: string[]): TestKeys {
  const keys: TestKeys = { privateKeyPem: {}, trustedKeys: {} };
  for (const name of names) {
    const pair = generateKeyPairSync("ed25519");
    keys.privateKeyPem[name] = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    keys.trustedKeys[name] = [pair.publicKey.export({ type: "spki", format: "pem" }).toString()];
  }
  return keys;
}

/** The value of a KEYRING setting with one new key. */
export function testKeyring(): string {
  return JSON.stringify({ active: "k1", keys: { k1: randomBytes(32).toString("base64") } });
}
