import { readFileSync } from "node:fs";

export type Environment = Record<string, string | undefined>;

export type Problem = { path: readonly PropertyKey[]; message: string };

const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)\}/g;
const FILE = /^file:(.+)$/;

/**
 * Replaces `${NAME}` in each text of a configuration by the variable of the environment, and a text `file:PATH` by the
 * content of the file without the line end. So no secret has to be in the file itself.
 */
export function resolveSecrets(value: unknown, env: Environment): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = [];
  const visit = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof part === "string")
      return resolveText(part, env, (message) => problems.push({ path, message }));
    if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, visit(item, [...path, key])]));
  };
  return { value: visit(value, []), problems };
}

function resolveText(text: string, env: Environment, report: (message: string) => void): string {
  const [, file] = FILE.exec(text) ?? [];
  if (file !== undefined) {
    try {
      return readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      report(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return text;
    }
  }
  return text.replace(VARIABLE, (whole, name: string) => {
    const found = env[name];
    if (found === undefined || found === "") report(`The environment variable ${name} is not set.`);
    return found ?? whole;
  });
}
