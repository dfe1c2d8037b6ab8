import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, explainFileError, LocalError } from "./errors.ts";

/** What this data folder's services prove themselves and encrypt with. */
export type Secrets = {
  /** Ed25519, PKCS8 PEM. */
  privateKey(name: string): string;
  /** Of all named services: the settings value TRUSTED_KEYS. */
  trustedKeys(names: readonly string[]): string;
  /** The settings value KEYRING, one for each service. */
  keyring(name: string): string;
  /** 32 random bytes in base64 for another purpose. */
  random(name: string): string;
};

/**
 * Opens the secrets kept in `keys/` of the data folder. Each is made when first
 * asked for and the same ever after: stored data is encrypted with them.
 */
export function openSecrets(dataDirectory: string): Secrets {
  const directory = join(dataDirectory, "keys");
  const kept = (file: string, make: () => string) => keep(directory, file, make);
  const privateKey = (name: string) =>
    kept(`${name}.pem`, () =>
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    );
  const random = (name: string) => kept(`${name}.key`, () => randomBytes(32).toString("base64"));
  return {
    privateKey,
    random,
    trustedKeys: (names) =>
      JSON.stringify(Object.fromEntries(names.map((name) => [name, [publicHalf(privateKey(name))]]))),
    keyring: (name) => JSON.stringify({ active: "k1", keys: { k1: random(`${name}.keyring`) } }),
  };
}

function publicHalf(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }).toString();
}

function keep(directory: string, name: string, make: () => string): string {
  const file = join(directory, name);
  const before = read(file);
  if (before === "")
    throw new LocalError(
      `${file} is empty, as a power cut may leave it.`,
      "Restore it from a backup. Without one, what is encrypted with it is lost: delete the data folder to begin anew.",
    );
  if (before !== undefined) return before;
  try {
    const value = make();
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
