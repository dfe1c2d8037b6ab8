import type { Environment } from "../config/resolve-secrets.ts";
import type { Log } from "../log.ts";

/** What a command gets, and where it writes. */
export type CommandContext = {
  env: Environment;
  /** The configuration's file. */
  file: string;
  print(line: string): void;
  log: Log;
};

/** Resolves with the exit code. */
export type Command = (context: CommandContext) => Promise<number>;
