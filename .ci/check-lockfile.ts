/**
 * Checks that package-lock.json pins the content of every package, and that every package with an install script was
 * reviewed. `npm run lint` runs it.
 *
 *   node .ci/check-lockfile.ts
 */
import { readFileSync } from "node:fs";

type Entry = { link?: boolean; integrity?: string; hasInstallScript?: boolean };

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { allowScripts }: { allowScripts: Record<string, boolean> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const problems: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  if (name === undefined || entry.link === true) continue;
  if (entry.hasInstallScript === true && allowScripts[name] === undefined)
    problems.push(
      `${name} has an install script: decide in "allowScripts" of package.json whether it may run`,
    );
  if (entry.integrity === undefined)
    problems.push(`${path} has no integrity hash: run \`npm run complete-lockfile\``);
}
for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
