import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LocalError } from "./errors.ts";

export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null };

type KnownCause = { pattern: RegExp; message: (name: string) => string; advice: string };

const knownCauses: KnownCause[] = [
  {
    pattern: /address already in use|EADDRINUSE|BindException/i,
    message: (name) => `${name} could not start: its port is taken by another program.`,
    advice:
      "Stop that program (`ss -ltnp` names it). If an earlier run was killed, run `npm run stop`. Then start again.",
  },
  {
    pattern: /no space left on device|ENOSPC|disk quota exceeded/i,
    message: (name) => `${name} stopped: the disk is full.`,
    advice: "Free some disk space, or choose another data folder with --data. Then start again.",
  },
  {
    pattern: /OutOfMemoryError|cannot allocate memory|insufficient memory for the Java/i,
    message: (name) => `${name} stopped: the machine has too little free memory.`,
    advice: "Close other programs (the three servers and the services need about 2 GB). Then start again.",
  },
  {
    pattern: /UnsupportedClassVersionError/,
    message: (name) => `${name} could not start: the Java on PATH is too old.`,
    advice: "Install Java 17 or newer, or start a Docker engine.",
  },
  {
    pattern: /error while loading shared libraries: (\S+)/,
    message: (name) => `${name} could not start: a system library is missing.`,
    advice:
      "Install libcurl4 and OpenSSL 3, start a Docker engine, or name a running server in the environment.",
  },
  {
    pattern: /(too many open files|EMFILE)/i,
    message: (name) => `${name} stopped: too many open files.`,
    advice: "Raise the limit with `ulimit -n 65536` in this shell. Then start again.",
  },
];

/** Explains why a program exited, from its exit code or signal and the last lines of its log. */
export function explainExit(name: string, exit: ProcessExit, logFile: string): LocalError {
  const tail = lastLines(logFile, 8);
  const where = `The log is ${logFile}. Its last lines:\n${indent(tail)}`;
  const cause = knownCauses.find(({ pattern }) => pattern.test(tail));
  if (cause !== undefined) return new LocalError(cause.message(name), `${cause.advice} ${where}`);
  if (exit.signal === "SIGKILL" || exit.code === 137)
    return new LocalError(
      `${name} was killed by the system, most likely because it ran out of memory.`,
      `Close other programs (the three servers and the services need about 2 GB). Then start again. ${where}`,
    );
  if (exit.signal === "SIGILL")
    return new LocalError(
      `${name} needs a processor with AVX, which this machine does not have.`,
      "Start it on another machine and name it in the environment (MONGO_URL, KAFKA_BROKERS, REDIS_URL).",
    );
  const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
  return new LocalError(`${name} ended unexpectedly with ${how}.`, where);
}

/** The last `count` lines of a file, from its last 16 KiB: a large log is not read completely. */
export function lastLines(file: string, count: number): string {
  const window = 16_384;
  try {
    const handle = openSync(file, "r");
    try {
      const { size } = fstatSync(handle);
      const buffer = Buffer.alloc(Math.min(size, window));
      readSync(handle, buffer, 0, buffer.length, Math.max(0, size - window));
      const lines = buffer.toString("utf8").trimEnd().split("\n").slice(-count);
      return lines.map((line) => line.slice(0, 400)).join("\n");
    } finally {
      closeSync(handle);
    }
  } catch {
    return "(no log)";
  }
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
