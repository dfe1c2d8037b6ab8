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

/** Where fetched servers are kept: outside the data, so that clean data doesn't download again. */
function cacheDirectory(env: Environment): string {
  const set = env.ASSET_REGISTER_CACHE;
  if (set !== undefined && set !== "") return resolve(set);
  const home = env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache");
  return join(home, "asset-register", "servers");
}

/**
 * The cached folder `name`, filled by `fill` if it isn't there. It is filled
 * under another name and renamed when whole, so that a download that is killed
 * leaves nothing that looks complete, and of two at once one simply wins.
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
    // Another process renamed its own first; both hold the same pinned bytes.
    if ((code === "ENOTEMPTY" || code === "EEXIST") && existsSync(target)) return target;
    throw explainFileError(error, cache);
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
  }
}

/** What killed downloads left; an hour is longer than any that is still under way. */
function removeStale(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (name.startsWith(".") && since !== undefined && Date.now() - since > 3_600_000)
      rmSync(path, { recursive: true, force: true });
  }
}

/** Fails unless the file has exactly the pinned SHA-256 (hex). */
export async function requireChecksum(file: string, expected: string, what: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest("hex");
  if (actual === expected) return;
  throw new LocalError(
    `The checksum of ${what} differs: it was fetched as ${actual}, pinned is ${expected}.`,
    "Nothing of it was run. Try again; if it stays, the package registry you use serves other bytes than the pinned ones: ask who runs it, or use a Docker engine.",
  );
}
