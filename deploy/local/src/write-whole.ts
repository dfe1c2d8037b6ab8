import { renameSync, writeFileSync } from "node:fs";
import { explainFileError } from "./errors.ts";

/** Writes a file that only its owner reads, at once: who waits for it must not see half of it. */
export function writeWhole(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw explainFileError(error, file);
  }
}
