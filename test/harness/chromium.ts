import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const DEBIANS = "/usr/bin/chromium";
const APT = "/usr/bin/apt-get";
const INSTALL = ["install", "-y", "--no-install-recommends", "chromium"];

/**
 * Path of a browser: that of CHROMIUM_PATH, Debian's where it is installed, or installed now
 * where we may. Undefined where there is none, with the reason printed.
 */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH;
  const path = given ?? DEBIANS;
  if (existsSync(path)) return path;
  const mayInstall = given === undefined && process.getuid?.() === 0 && existsSync(APT);
  if (!mayInstall) return without(`${path} is not there; apt-get as root installs it, or set CHROMIUM_PATH`);
  try {
    await install();
  } catch (error) {
    return without(`apt-get could not install it: ${error instanceof Error ? error.message : String(error)}`);
  }
  return path;
}

function without(reason: string): undefined {
  console.log(`chromium: pages are not looked at in a browser: ${reason}`);
}

async function install(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  console.log("chromium: installing Debian's package (a minute or two, once)");
  // The lists of a fresh image are empty, or older than what its mirror still has.
  await run(APT, INSTALL, { env }).catch(async () => {
    console.log("chromium: fetching the lists of packages first");
    await run(APT, ["update"], { env });
    await run(APT, INSTALL, { env });
  });
  console.log("chromium: installed");
}
