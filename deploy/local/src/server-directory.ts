import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { explainFileError } from "./errors.ts";

/**
 * Creates the folder of a server's data, and returns its path. Only the owner can open the folder `data` above it, also
 * if an earlier release has created that one.
 * @throws LocalError if the disk is full or the folder is not writable
 */
export function createServerDirectory(dataDirectory: string, name: string): string {
  const data = join(dataDirectory, "data");
  const path = join(data, name);
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    chmodSync(data, 0o700);
    mkdirSync(path, { recursive: true });
    return path;
  } catch (error) {
    throw explainFileError(error, path);
  }
}
