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
 * The path of a Python with Schemathesis, in a virtual environment that is created once. Undefined if there is no
 * Python or the packages can't be downloaded; the reason is printed.
 */
export async function findSchemathesis(): Promise<string | undefined> {
  try {
    const { stdout: version } = await run("python3", [
      "-c",
      "import ensurepip, sys, venv; print(sys.version)",
    ]);
    const hash = createHash("sha256")
      .update(version)
      .update(await readFile(REQUIREMENTS));
    const name = `schemathesis-${hash.digest("hex").slice(0, 16)}`;
    return path.join(await cached(process.env, name, install), "bin", "python");
  } catch (error) {
    console.log(`fuzz: the fuzz tests are skipped: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function install(directory: string): Promise<void> {
  console.log("fuzz: installing Schemathesis (about a minute, only once)");
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

export type FuzzOptions = {
  /** The folder for the files of the run. */
  directory: string;
  name: string;
  document: unknown;
  url: string;
  credential: string;
  /** The credentials of operations ("POST /logout") that do not use `credential`. */
  credentials: Record<string, string>;
};

/**
 * Fuzzes every operation of a document. `report` lists the requests, and each failure with a curl command.
 */
export async function fuzz(
  python: string,
  options: FuzzOptions,
): Promise<{ passed: boolean; report: string }> {
  const { directory, name, document, url, credential, credentials } = options;
  const file = (ending: string): string => path.join(directory, `${name}.${ending}`);
  await writeFile(file("json"), JSON.stringify(document));
  const settings = await readFile(SETTINGS, "utf8");
  await writeFile(
    file("toml"),
    [headers(credential), settings, ...Object.entries(credentials).map(operationSettings)].join("\n"),
  );
  const args = ["--config-file", file("toml"), "run", "--no-color", "--url", url, file("json")];
  try {
    const execOptions = { cwd: directory, maxBuffer: MAX_REPORT_BYTES };
    const { stdout } = await run(python, ["-m", "schemathesis.cli", ...args], execOptions);
    return { passed: true, report: stdout };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { passed: false, report: `${stdout}${stderr}` || String(error) };
  }
}

/** An address of its own: sign-ins are limited by address, and the other tests need theirs. */
const CLIENT_ADDRESS = "10.90.90.90";

const headers = (credential: string): string =>
  `headers = { Authorization = "Bearer ${credential}", X-Forwarded-For = "${CLIENT_ADDRESS}" }`;

const operationSettings = ([operation, credential]: [string, string]): string =>
  `[[operations]]\ninclude-name = "${operation}"\n${headers(credential)}`;
