import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { type Environment, type Problem, resolveSecrets } from "./resolve-secrets.ts";
import { type Config, configSchema } from "./schema.ts";

/** Lists all problems of a configuration, with their lines. It contains no secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not valid:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** @throws ConfigError with every problem of the file */
export function loadConfig(file: string, env: Environment): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(file, [error instanceof Error ? error.message : String(error)]);
  }
  return parseConfig(text, env, file);
}

/** @throws ConfigError with every problem of the text */
export function parseConfig(text: string, env: Environment, file = "The configuration"): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const problems = document.errors.map(
      ({ pos, message }) => `line ${lines.linePos(pos[0]).line}: ${message}`,
    );
    throw new ConfigError(file, problems);
  }
  const { value, problems } = resolveSecrets(document.toJS(), env);
  const parsed = configSchema.safeParse(value);
  if (parsed.success && problems.length === 0) return parsed.data;
  // A text whose secret is missing has no further problems.
  const isNew = ({ path }: Problem): boolean =>
    !problems.some((known) => isDeepStrictEqual(known.path, path));
  const all = [...problems, ...(parsed.error?.issues ?? []).filter(isNew)];
  throw new ConfigError(
    file,
    all.map((problem) => describe(problem, document, lines)),
  );
}

function describe({ path, message }: Problem, document: Document, lines: LineCounter): string {
  const line = lineOf(path, document, lines);
  const place = path.length === 0 ? "" : ` ${path.map(String).join(".")}`;
  return `${line === undefined ? "" : `line ${line}:`}${place}: ${message}`.trim();
}

/** The line of a value; of what is missing, the line of what should contain it. */
function lineOf(path: readonly PropertyKey[], document: Document, lines: LineCounter): number | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}
