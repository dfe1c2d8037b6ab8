import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LocalError } from "./errors.ts";

export type ProcessExit = { code: number | null; signal: NodeJS.Signals | null };

type Known = { pattern: RegExp; message: (name: string) => string; advice: string };

const known: Known[] = [
  {
    pattern: /address already in use|EADDRINUSE|BindException/i,
    message: (name) => `${name} could not start: its port is taken by another program.`,
    advice:
      "Stop that program (`ss -ltnp` names it), or run `npm run stop` if an earlier run was killed, then start again.",
  },
  {
    pattern: /no space left on device|ENOSPC|disk quota exceeded/i,
    message: (name) => `${name} stopped: the disk is full.`,
    advice: "Make room on the disk, or choose another data folder with --data, then start again.",
  },
  {
    pattern: /OutOfMemoryError|cannot allocate memory|insufficient memory for the Java/i,
    message: (name) => `${name} stopped: the machine has too little free memory.`,
    advice: "Close other programs (the three servers and the services need about 2 GB), then start again.",
  },
  {
    pattern: /UnsupportedClassVersionError/,
    message: (name) => `${name} could not start: the Java on PATH is too old.`,
    advice: "Install Java 17 or newer, or start a Docker engine.",
  },
  {
    pattern: /error while loading shared libraries: (\S+)/,
    message: (name) => `${name} could not start: a system library is missing, see its log.`,
    advice:
      "Install libcurl4 and OpenSSL 3, or start a Docker engine, or name a running server in the environment.",
  },
  {
    pattern: /(too many open files|EMFILE)/i,
    message: (name) => `${name} stopped: too many open files.`,
    advice: "Raise the limit with `ulimit -n 65536` in this shell, then start again.",
  },
];

/** Tells why a program ended, from its exit and the end of its log. */
export function explainExit(name: string, exit: ProcessExit, logFile: string): LocalError {
  const tail = lastLines(logFile, 8);
  const where = `Its log is ${logFile}; it ends with:\n${indent(tail)}`;
  const hit = known.find(({ pattern }) => pattern.test(tail));
  if (hit !== undefined) return new LocalError(hit.message(name), `${hit.advice} ${where}`);
  if (exit.signal === "SIGKILL" || exit.code === 137)
    return new LocalError(
      `${name} was killed by the system, which most often means that memory ran out.`,
      `Close other programs (the three servers and the services need about 2 GB), then start again. ${where}`,
    );
  if (exit.signal === "SIGILL")
    return new LocalError(
      `${name} needs a newer processor (AVX) than this one.`,
      "Start it elsewhere and name it in the environment (MONGO_URL, KAFKA_BROKERS, REDIS_URL).",
    );
  const how = exit.signal === null ? `code ${exit.code}` : `signal ${exit.signal}`;
  return new LocalError(`${name} ended unexpectedly with ${how}.`, where);
}

/** The last lines of a file, read from its end so that a large log costs nothing. */
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
