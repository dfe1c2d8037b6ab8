/**
 * Checks that package-lock.json pins the content of every package, and that every package with an install script was
 * reviewed. `npm run lint` runs it.
 *
 *   node .ci/check-lockfile.ts
 */
import { readFileSync } from "node:fs";

/**
 * Packages without an integrity hash: builds for other platforms, which the registry that wrote the lock file does not
 * have (see complete-lockfile.ts). npm never installs them on Linux with glibc and an x64 processor. `npm install` with
 * a complete registry adds their hashes; then they are removed here.
 */
const WITHOUT_INTEGRITY: Record<string, readonly string[]> = {
  "@biomejs/cli-": [
    "android-arm64",
    "android-x64",
    "darwin-arm64",
    "darwin-x64",
    "linux-arm64-musl",
    "linux-x64-musl",
    "win32-arm64",
    "win32-x64",
  ],
  "@bufbuild/buf-": [
    "darwin-arm64",
    "darwin-x64",
    "linux-aarch64",
    "linux-armv7",
    "win32-arm64",
    "win32-x64",
  ],
  "@node-rs/argon2-": [
    "android-arm-eabi",
    "android-arm64",
    "darwin-arm64",
    "darwin-x64",
    "freebsd-x64",
    "linux-arm-gnueabihf",
    "linux-arm64-gnu",
    "linux-arm64-musl",
    "linux-x64-musl",
    "win32-arm64-msvc",
    "win32-ia32-msvc",
    "win32-x64-msvc",
  ],
  "@oxc-parser/binding-": [
    "android-arm-eabi",
    "android-arm64",
    "darwin-arm64",
    "darwin-x64",
    "freebsd-x64",
    "linux-arm-gnueabihf",
    "linux-arm-musleabihf",
    "linux-ppc64-gnu",
    "linux-riscv64-gnu",
    "linux-riscv64-musl",
    "linux-s390x-gnu",
    "openharmony-arm64",
    "win32-arm64-msvc",
    "win32-ia32-msvc",
    "win32-x64-msvc",
  ],
  "@swc/core-": [
    "darwin-arm64",
    "darwin-x64",
    "linux-arm-gnueabihf",
    "linux-ppc64-gnu",
    "linux-s390x-gnu",
    "win32-arm64-msvc",
    "win32-ia32-msvc",
    "win32-x64-msvc",
  ],
  "@turbo/": ["darwin-64", "darwin-arm64", "windows-64", "windows-arm64"],
};

type Entry = {
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  hasInstallScript?: boolean;
};

const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const { allowScripts }: { allowScripts: Record<string, boolean> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const exempt = new Set(
  Object.entries(WITHOUT_INTEGRITY).flatMap(([prefix, builds]) => builds.map((build) => `${prefix}${build}`)),
);
const problems: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
  if (name === undefined || entry.link === true) continue;
  if (entry.hasInstallScript === true && allowScripts[name] === undefined)
    problems.push(
      `${name} has an install script: decide in "allowScripts" of package.json whether it may run`,
    );
  if (!exempt.delete(name)) {
    if (entry.integrity === undefined) problems.push(`${path} has no integrity hash`);
  } else if (entry.integrity !== undefined) {
    problems.push(`${name} has an integrity hash: remove it from WITHOUT_INTEGRITY`);
  } else if (entry.optional !== true || entry.os === undefined) {
    problems.push(`${path} has no integrity hash, and is not an optional build for a platform`);
  }
}
for (const name of exempt) problems.push(`${name} is not in the lock file: remove it from WITHOUT_INTEGRITY`);
for (const problem of problems) process.stderr.write(`package-lock.json: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
