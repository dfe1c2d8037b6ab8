import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cached } from "@asset-register/local";

const run = promisify(execFile);
const REQUIREMENTS = path.join(import.meta.dirname, "requirements.txt");
const SETTINGS = path.join(import.meta.dirname, "schemathesis.toml");
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/**
 * Path of a Python that has Schemathesis, in a virtual environment that is made once. Undefined
 * where there is no Python, or the packages can't be fetched, with the reason printed.
 */
export async function findSchemathesis(): Promise<string | undefined> {
  try {
    const { stdout: version } = await run("python3", [
      "-c",
      "import ensurepip, sys, venv; print(sys.version)",
    ]);
    const pinned = createHash("sha256")
      .update(version)
      .update(await readFile(REQUIREMENTS));
    const name = `schemathesis-${pinned.digest("hex").slice(0, 16)}`;
    return path.join(await cached(process.env, name, install), "bin", "python");
  } catch (error) {
    console.log(
      `fuzz: skipped, the documents are not fuzzed: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
}

async function install(directory: string): Promise<void> {
  console.log("fuzz: installing Schemathesis (a minute, once)");
  await run("python3", ["-m", "venv", directory]);
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--requirement",
    REQUIREMENTS,
  ];
  await run(path.join(directory, "bin", "python"), pip);
}

export type Fuzz = {
  /** Holds what is made for the run. */
  directory: string;
  name: string;
  document: unknown;
  url: string;
  credential: string;
  /** Those of operations ("POST /logout") that are asked for with another one. */
  credentials: Record<string, string>;
};

/** Asks for everything that a document describes. `report` says what was asked, and each failure with a curl. */
export async function fuzz(python: string, given: Fuzz): Promise<{ passed: boolean; report: string }> {
  const { directory, name, document, url, credential, credentials } = given;
  const file = (ending: string): string => path.join(directory, `${name}.${ending}`);
  await writeFile(file("json"), JSON.stringify(document));
  const settings = await readFile(SETTINGS, "utf8");
  await writeFile(
    file("toml"),
    [headers(credential), settings, ...Object.entries(credentials).map(own)].join("\n"),
  );
  const args = ["--config-file", file("toml"), "run", "--no-color", "--url", url, file("json")];
  try {
    const options = { cwd: directory, maxBuffer: MAX_REPORT_BYTES };
    const { stdout } = await run(python, ["-m", "schemathesis.cli", ...args], options);
    return { passed: true, report: stdout };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { passed: false, report: `${stdout}${stderr}` || String(error) };
  }
}

const headers = (credential: string): string => `headers = { Authorization = "Bearer ${credential}" }`;

const own = ([operation, credential]: [string, string]): string =>
  `[[operations]]\ninclude-name = "${operation}"\n${headers(credential)}`;
