import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { keyringSchema } from "@asset-register/runtime";
import { z } from "zod";
import { CliError } from "./output.ts";

/** The keys of a component, as settings. NEXT_PRIVATE_KEY is the key pair that a rotation will use; no process reads it. */
export type ComponentKeys = Record<string, string>;
export type AllKeys = Record<string, ComponentKeys>;

export const STEPS = ["add", "use", "remove"] as const;
export type Step = (typeof STEPS)[number];

const trustedSchema = z.record(z.string(), z.array(z.string()).min(1));

/** New keys of all components. `services` have a keyring; the gateway has only its key pair. */
export function createKeys(services: readonly string[]): AllKeys {
  const pairs = Object.fromEntries(["gateway", ...services].map((name) => [name, newPrivateKey()]));
  const trusted = JSON.stringify(
    Object.fromEntries(Object.entries(pairs).map(([name, pem]) => [name, [publicKey(pem)]])),
  );
  return Object.fromEntries(
    Object.entries(pairs).map(([name, pem]) => [
      name,
      {
        SERVICE_PRIVATE_KEY: pem,
        TRUSTED_KEYS: trusted,
        ...(name === "gateway" ? {} : { KEYRING: newKeyring() }),
        ...(name === "identity" ? { TOKEN_PEPPER: randomBytes(32).toString("base64") } : {}),
      },
    ]),
  );
}

/**
 * One step of a rotation of all key pairs and keyrings. Processes with the keys before and after a step understand each
 * other, so they can be restarted one by one between two steps.
 *
 * | Step   | Key pairs                             | Keyrings                             |
 * | ------ | ------------------------------------- | ------------------------------------ |
 * | add    | all trust the next public key         | the next key can decrypt             |
 * | use    | the next private key signs            | the next key encrypts                |
 * | remove | nobody trusts the public key before   | the key before is removed            |
 *
 * @throws CliError if the step before was not done
 */
export function rotateKeys(before: AllKeys, step: Step): AllKeys {
  const own = Object.fromEntries(
    Object.entries(before).map(([name, keys]) => [name, rotateOwn(name, keys, step)]),
  );
  return Object.fromEntries(
    Object.entries(own).map(([name, keys]) => {
      const trusted = trustedSchema.parse(JSON.parse(setting(name, keys, "TRUSTED_KEYS")));
      // A process may trust others that are not part of this installation.
      const changed = Object.fromEntries(
        Object.entries(own).map(([other, its]) => [other, trustedOf(other, its, trusted, step)]),
      );
      return [name, { ...keys, TRUSTED_KEYS: JSON.stringify({ ...trusted, ...changed }) }];
    }),
  );
}

function rotateOwn(name: string, keys: ComponentKeys, step: Step): ComponentKeys {
  const { NEXT_PRIVATE_KEY: next, ...rest } = keys;
  const ring: ComponentKeys =
    keys.KEYRING === undefined ? {} : { KEYRING: rotateKeyring(name, keys.KEYRING, step) };
  if (step === "add") {
    if (next !== undefined)
      throw new CliError(`${name}: the step add was done already. The next step is use.`);
    return { ...keys, ...ring, NEXT_PRIVATE_KEY: newPrivateKey() };
  }
  if (step === "use") {
    if (next === undefined) throw new CliError(`${name}: there is no next key. The first step is add.`);
    return { ...rest, ...ring, SERVICE_PRIVATE_KEY: next };
  }
  if (next !== undefined) throw new CliError(`${name}: the next key is not in use. The step before is use.`);
  return { ...rest, ...ring };
}

function trustedOf(
  name: string,
  keys: ComponentKeys,
  trusted: Record<string, string[]>,
  step: Step,
): string[] {
  const used = publicKey(setting(name, keys, "SERVICE_PRIVATE_KEY"));
  if (step === "remove") return [used];
  const next = keys.NEXT_PRIVATE_KEY === undefined ? [] : [publicKey(keys.NEXT_PRIVATE_KEY)];
  return [...new Set([...(trusted[name] ?? []), used, ...next])];
}

function rotateKeyring(name: string, text: string, step: Step): string {
  const { active, keys } = keyringSchema.parse(JSON.parse(text));
  const ids = Object.keys(keys);
  if (step === "add") {
    if (ids.length > 1)
      throw new CliError(`${name}: KEYRING has ${ids.length} keys. Finish the rotation before.`);
    const number = Number(/^k(\d+)$/.exec(active)?.[1] ?? 0) + 1;
    return JSON.stringify({ active, keys: { ...keys, [`k${number}`]: newKey() } });
  }
  const other = ids.find((id) => id !== active);
  if (step === "use") {
    if (other === undefined) throw new CliError(`${name}: KEYRING has no next key. The first step is add.`);
    return JSON.stringify({ active: other, keys });
  }
  return JSON.stringify({ active, keys: { [active]: keys[active] } });
}

function setting(component: string, keys: ComponentKeys, name: string): string {
  const value = keys[name];
  if (value === undefined) throw new CliError(`The Secret of ${component} lacks ${name}.`);
  return value;
}

const newKey = (): string => randomBytes(32).toString("base64");
const newKeyring = (): string => JSON.stringify({ active: "k1", keys: { k1: newKey() } });

const newPrivateKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

function publicKey(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "pem" }).toString();
}
