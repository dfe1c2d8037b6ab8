import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { explainFileError } from "./errors.ts";

/** Writes a file that only its owner reads, at once: who waits for it must not see half of it. A fault of the disk is a LocalError. */
export function writeWhole(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
