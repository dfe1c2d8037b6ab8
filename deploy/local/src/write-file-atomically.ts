import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { explainFileError } from "./errors.ts";

/**
 * Writes a file atomically, so that no reader sees half of it. Only the owner can read it.
 * @throws LocalError if the disk is full or the folder is not writable
 */
export function writeFileAtomically(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
