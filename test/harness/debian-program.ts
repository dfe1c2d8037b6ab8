import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const APT = "/usr/bin/apt-get";

/** A program of a Debian package, at its path there or at that of a setting. */
type Program = {
  path: string;
  package: string;
  setting: string;
  /** The tests that are skipped without it. */
  skipped: string;
  /** How long its installation takes. */
  takes: string;
};

/** The path of a Chromium browser, or undefined (see `find`). */
export const findChromium = (): Promise<string | undefined> =>
  find({
    ...{ path: "/usr/bin/chromium", package: "chromium", setting: "CHROMIUM_PATH" },
    ...{ skipped: "browser tests are skipped", takes: "one or two minutes" },
  });

/** The path of pdftoppm, which draws the pages of a PDF, or undefined (see `find`). */
export const findPdftoppm = (): Promise<string | undefined> =>
  find({
    ...{ path: "/usr/bin/pdftoppm", package: "poppler-utils", setting: "PDFTOPPM_PATH" },
    ...{ skipped: "labels are not read back", takes: "half a minute" },
  });

/**
 * The path of a program: that of its setting, else Debian's. If it is missing and this process is root on a machine with
 * apt-get, Debian's package is installed. Undefined if there is none; the reason is printed.
 */
async function find(program: Program): Promise<string | undefined> {
  const { path: debianPath, package: name, setting, skipped } = program;
  const given = process.env[setting];
  const path = given ?? debianPath;
  const missing = (reason: string): undefined => {
    console.log(`${name}: ${skipped}: ${reason}`);
  };
  if (existsSync(path)) return path;
  const mayInstall = given === undefined && process.getuid?.() === 0 && existsSync(APT);
  if (!mayInstall)
    return missing(`${path} does not exist; set ${setting}, or run as root with apt-get to install it`);
  try {
    await install(program);
  } catch (error) {
    return missing(`apt-get could not install it: ${error instanceof Error ? error.message : String(error)}`);
  }
  return path;
}

async function install({ package: name, takes }: Program): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const command = ["install", "-y", "--no-install-recommends", name];
  console.log(`${name}: installing Debian's package (${takes}, only once)`);
  // The package lists of a fresh image are empty, or name versions that the mirror no longer has.
  await run(APT, command, { env }).catch(async () => {
    console.log(`${name}: updating the package lists first`);
    await run(APT, ["update"], { env });
    await run(APT, command, { env });
  });
  console.log(`${name}: installed`);
}
