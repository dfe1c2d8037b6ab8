/**
 * Adds missing optional packages to package-lock.json. npm omits the builds for other platforms if the registry does
 * not have them, and `npm ci` then rejects the lock file as incomplete. Each added entry has the exact version that
 * its parent requires, and the platform in its name. So npm skips it on other platforms.
 *
 *   node .ci/complete-lockfile.ts
 */
import { readFileSync, writeFileSync } from "node:fs";

type Entry = {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const OS: Record<string, string> = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  openharmony: "openharmony",
  win32: "win32",
  windows: "win32",
};
const CPU: Record<string, string> = {
  64: "x64",
  arm: "arm",
  arm64: "arm64",
  ia32: "ia32",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  x64: "x64",
};

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added: string[] = [];
for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const entryPath = `node_modules/${name}`;
    if (lock.packages[entryPath] !== undefined || lock.packages[`${parent}/${entryPath}`] !== undefined)
      continue;
    const words = name.split(/[^a-z0-9]+/);
    const os = words.map((word) => OS[word]).filter((word) => word !== undefined);
    const cpu = words.map((word) => CPU[word]).filter((word) => word !== undefined);
    if (os.length === 0)
      throw new Error(`${name}, an optional dependency of ${parent}, has no platform in its name`);
    lock.packages[entryPath] = {
      version,
      ...(cpu.length > 0 && { cpu: cpu.slice(-1) }),
      ...(dev === true && { dev }),
      optional: true,
      os: os.slice(0, 1),
      ...(words.includes("musl") && { libc: ["musl"] }),
    };
    added.push(entryPath);
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  "package-lock.json",
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
);
process.stdout.write(`${added.length} entries added\n`);
