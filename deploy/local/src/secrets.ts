import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, explainFileError, LocalError } from "./errors.ts";

/** The secrets of a data folder: the keys with which its services authenticate and encrypt. */
export type Secrets = {
  /** The private key of a process: Ed25519, PKCS8 PEM. */
  privateKey(name: string): string;
  /** The value of the setting TRUSTED_KEYS: the public keys of these processes. */
  trustedKeys(names: readonly string[]): string;
  /** The value of a service's setting KEYRING. */
  keyring(name: string): string;
  /** 32 random bytes in base64, for other purposes. */
  random(name: string): string;
};

/**
 * Opens the secrets in `keys/` of the data folder. Each is created at its first use and never changes, because stored
 * data is encrypted with it.
 * @throws LocalError from each function, if a file is empty or can't be read or written
 */
export function openSecrets(dataDirectory: string): Secrets {
  const directory = join(dataDirectory, "keys");
  const stored = (file: string, create: () => string) => readOrCreate(directory, file, create);
  const privateKey = (name: string) =>
    stored(`${name}.pem`, () =>
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    );
  const random = (name: string) => stored(`${name}.key`, () => randomBytes(32).toString("base64"));
  return {
    privateKey,
    random,
    trustedKeys: (names) =>
      JSON.stringify(Object.fromEntries(names.map((name) => [name, [publicKey(privateKey(name))]]))),
    keyring: (name) => JSON.stringify({ active: "k1", keys: { k1: random(`${name}.keyring`) } }),
  };
}

function publicKey(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }).toString();
}

function readOrCreate(directory: string, name: string, create: () => string): string {
  const file = join(directory, name);
  const existing = read(file);
  if (existing === "")
    throw new LocalError(
      `${file} is empty. A power failure can cause this.`,
      "Restore it from a backup. Without a backup the data that is encrypted with it is lost: delete the data folder to start again.",
    );
  if (existing !== undefined) return existing;
  try {
    const value = create();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, value, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
    return value;
  } catch (error) {
    throw explainFileError(error, file);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw explainFileError(error, file);
  }
}
