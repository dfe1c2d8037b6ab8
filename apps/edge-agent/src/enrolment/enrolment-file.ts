import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import path from "node:path";
import { type Enrolment, enrolmentSchema } from "./enrolment.ts";
import { isSealed, parseKey, seal, unseal } from "./sealed.ts";

/** Keeps the secrets over a restart: readable for the agent's user only, and encrypted if there is a key. */
export type EnrolmentFile = {
  /**
   * Undefined before the enrolment.
   * @throws Error if the file cannot be understood
   */
  read(): Enrolment | undefined;
  write(enrolment: Enrolment): void;
};

/** `key`: AGENT_KEY, 32 bytes in base64. */
export function createEnrolmentFile(directory: string, key: string | undefined): EnrolmentFile {
  const file = path.join(directory, "enrolment.json");
  const sealingKey = key === undefined || key === "" ? undefined : parseKey(key);

  const open = (stored: unknown): unknown => {
    if (!isSealed(stored)) return stored;
    if (sealingKey === undefined) throw new Error(`${file} is encrypted, and AGENT_KEY is not set.`);
    try {
      return JSON.parse(unseal(stored, sealingKey));
    } catch (error) {
      throw new Error(`${file} was encrypted with another AGENT_KEY, or is damaged.`, { cause: error });
    }
  };

  return {
    read() {
      if (!existsSync(file)) return undefined;
      const parsed = enrolmentSchema.safeParse(open(JSON.parse(readFileSync(file, "utf8"))));
      if (parsed.success) return parsed.data;
      throw new Error(`${file} is damaged. Enrol the agent again with a new token.`);
    },
    write(enrolment) {
      const text = JSON.stringify(enrolment);
      writeAtomically(file, sealingKey === undefined ? text : seal(text, sealingKey));
    },
  };
}

/** A power cut leaves the old file or the new one. */
function writeAtomically(file: string, text: string): void {
  const descriptor = openSync(`${file}.new`, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${file}.new`, file);
}
