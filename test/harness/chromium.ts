import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const DEBIAN_PATH = "/usr/bin/chromium";
const APT = "/usr/bin/apt-get";
const INSTALL = ["install", "-y", "--no-install-recommends", "chromium"];

/**
 * The path of a Chromium browser: CHROMIUM_PATH, else Debian's path. If it is missing and this process is root on a
 * machine with apt-get, Debian's package is installed. Undefined if there is no browser; the reason is printed.
 */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH;
  const path = given ?? DEBIAN_PATH;
  if (existsSync(path)) return path;
  const mayInstall = given === undefined && process.getuid?.() === 0 && existsSync(APT);
  if (!mayInstall)
    return reportMissing(
      `${path} does not exist; set CHROMIUM_PATH, or run as root with apt-get to install it`,
    );
  try {
    await install();
  } catch (error) {
    return reportMissing(
      `apt-get could not install it: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return path;
}

function reportMissing(reason: string): undefined {
  console.log(`chromium: browser tests are skipped: ${reason}`);
}

async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  console.log("chromium: installing Debian's package (one or two minutes, only once)");
  // The package lists of a fresh image are empty, or name versions that the mirror no longer has.
  await run(APT, INSTALL, { env }).catch(async () => {
    console.log("chromium: updating the package lists first");
    await run(APT, ["update"], { env });
    await run(APT, INSTALL, { env });
  });
  console.log("chromium: installed");
}
