import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { AppError, type ErrorKind } from "@asset-register/runtime";
import { asAppError } from "../src/errors.ts";

export type ThrownCode = { code: string; kind: ErrorKind | undefined; file: string };

const ROOT = path.join(import.meta.dirname, "../..");
const SOURCES = ["services/*/src/**/*.ts", "packages/*/src/**/*.ts", "gateway/src/**/*.ts"];
const OTHERS = /\.test\.ts$|^gateway\/src\/(error-catalogue|openapi|docs)\//;

/** `conflict("CODE", ...)` and `unauthenticated("...", "CODE")`. */
const BY_FACTORY: [ErrorKind, RegExp][] = [
  ["conflict", /\bconflict\(\s*"([A-Z_]+)"/g],
  ["unauthenticated", /\bunauthenticated\(\s*(?:"[^"]*"|`[^`]*`),\s*"([A-Z_]+)"/g],
];
/** `code: "CODE"` in the properties of an error, and the default of a parameter. */
const BY_NAME = /\bcode(?:: | = )"([A-Z_]+)"/g;
/** Maximum distance in characters between a code and the kind of its error. */
const KIND_DISTANCE = 120;

/** Every code that the sources of services, packages and gateway throw, as it appears in a response. */
export function thrownCodes(): ThrownCode[] {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !OTHERS.test(file));
  return files.flatMap((file) =>
    codesIn(readFileSync(path.join(ROOT, file), "utf8")).map((found) => ({ ...found, file })),
  );
}

/** The sources of all tests but that of the catalogue, which names codes without causing them. */
export function testSources(): string[] {
  const files = globSync("{services,packages,gateway,test}/**/*.test.ts", {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "gateway/test/error-codes.test.ts"],
  });
  return files.map((file) => readFileSync(path.join(ROOT, file), "utf8"));
}

/** The files with an error of kind conflict that has no violations. The compiler checks `conflict(...)`. */
export function conflictsWithoutErrors(): string[] {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !OTHERS.test(file));
  return files.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), "utf8");
    return [...source.matchAll(/new AppError\(\{([^;]*?)\}\)/g)].some(
      ([, fields = ""]) => fields.includes('kind: "conflict"') && !fields.includes("violations"),
    );
  });
}

function codesIn(source: string): Omit<ThrownCode, "file">[] {
  const made = BY_FACTORY.flatMap(([kind, pattern]) =>
    [...source.matchAll(pattern)].map(([, code = ""]) => ({ code, kind })),
  );
  const named = [...source.matchAll(BY_NAME)].map(({ 1: code = "", index }) => ({
    code,
    kind: kindIn(source.slice(Math.max(0, index - KIND_DISTANCE), index + KIND_DISTANCE)),
  }));
  return [...made, ...named].map(({ code, kind }) => ({ code: responseCode(code, kind), kind }));
}

const kindIn = (text: string): ErrorKind | undefined =>
  /\bkind: "(\w+)"/.exec(text)?.[1] as ErrorKind | undefined;

/** The code in the response: every error of the kind unavailable becomes UNAVAILABLE. */
const responseCode = (code: string, kind: ErrorKind | undefined): string =>
  kind === undefined ? code : asAppError(new AppError({ kind, code, message: "" })).code;
