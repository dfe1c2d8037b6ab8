import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "./types.ts";

/** The major and minor version of a program on PATH, from its `--version`. Undefined if it is missing or unreadable. */
export async function versionOnPath(
  command: string,
  pattern: RegExp,
  env: Environment,
): Promise<{ major: number; minor: number } | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], {
      timeout: 10_000,
      env: { ...env },
    });
    const [, major, minor] = pattern.exec(stdout) ?? [];
    return major === undefined || minor === undefined
      ? undefined
      : { major: Number(major), minor: Number(minor) };
  } catch {
    return undefined;
  }
}
