/**
 * Adds the builds for other platforms to package-lock.json. npm omits those that its registry did not have, or adds
 * them without an integrity hash, and `npm ci` then rejects the lock file or installs unchecked content. Each entry
 * gets the exact version that its parent requires, and platform and hash as the registry states them.
 *
 *   node .ci/complete-lockfile.ts
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

type Facts = {
  integrity?: string;
  cpu?: string[];
  license?: string;
  os?: string[];
  libc?: string[];
  engines?: Record<string, string>;
};

type Entry = Facts & {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
};

const FIELDS = ["dist.integrity", "cpu", "license", "os", "libc", "engines"];

/** @throws Error if the registry does not have this version, or no hash of it */
function factsOf(name: string, version: string): Facts {
  const view = execFileSync("npm", ["view", `${name}@${version}`, "--json", ...FIELDS], { encoding: "utf8" });
  const { "dist.integrity": integrity, ...facts } = JSON.parse(view);
  if (typeof integrity !== "string") throw new Error(`the registry has no hash of ${name}@${version}`);
  return { ...facts, integrity };
}

/** In the order in which npm writes the fields. */
function entryOf(version: string, { integrity, cpu, license, os, libc, engines }: Facts, dev = false): Entry {
  return {
    ...{ version, integrity, ...(cpu && { cpu }), ...(dev && { dev }), ...(libc && { libc }) },
    ...(license && { license }),
    ...{ optional: true, ...(os && { os }), ...(engines && { engines }) },
  };
}

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const completed: string[] = [];
for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, required] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    const known = lock.packages[`${parent}/${path}`] ?? lock.packages[path];
    if (known?.integrity !== undefined || known?.link === true) continue;
    const version = known?.version ?? required;
    lock.packages[path] = entryOf(version, factsOf(name, version), known?.dev ?? dev);
    completed.push(name);
  }
}
// As npm sorts.
const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(
  "package-lock.json",
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
);
process.stdout.write(`${completed.length} entries completed\n`);
