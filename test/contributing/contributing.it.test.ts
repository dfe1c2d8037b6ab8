import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { testServers } from "@asset-register/harness";
import { describe, expect, test } from "vitest";
import { addedLines, applyDiff, examplesOf } from "./examples.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string, base = root): Promise<string> => readFile(path.join(base, file), "utf8");

const examples = examplesOf(await read("CONTRIBUTING.md"));
const exists = await Promise.all(examples.map(({ file }) => read(file).then(Boolean, () => false)));
const isConsole = ({ file }: { file: string }): boolean => file.startsWith("apps/console/");
const diffs = examples.filter((one) => one.language === "diff" && !isConsole(one));
const screen = examples.filter(isConsole);
const excerpts = examples.filter((one, n) => one.language !== "diff" && exists[n] && !isConsole(one));
const newFiles = examples.filter((one, n) => !exists[n] && !isConsole(one));

describe("CONTRIBUTING.md", () => {
  test("excerpts of existing files are in these files", async () => {
    expect(excerpts.length).toBeGreaterThan(0);
    for (const { file, text } of excerpts) {
      expect(withoutIndent(await read(file)), file).toContain(withoutIndent(text));
    }
  });

  test("commands are npm scripts, because the machine's own node may be too old for TypeScript", async () => {
    const { scripts } = JSON.parse(await read("package.json"));
    for (const page of ["CONTRIBUTING.md", "README.md", "deploy/local/README.md"]) {
      const text = await read(page);
      for (const [, name = ""] of text.matchAll(/npm run ([a-z][a-z-]*)(?! -w)\b/g))
        expect(scripts, page).toHaveProperty([name]);
      expect(text.match(/^.*\bnode [\w./-]+\.ts\b.*$/gm) ?? [], page).toEqual([]);
    }
  });

  test("a plain field on the asset takes at most 6 lines in 5 files, and a service at most 150 lines", async () => {
    expect(diffs.flatMap(({ text }) => addedLines(text)).length).toBeLessThanOrEqual(6);
    expect(new Set(diffs.map(({ file }) => file)).size).toBeLessThanOrEqual(5);
    const configuration = await Promise.all(["package.json", "tsconfig.json"].map(readOfStocktake));
    const sources = newFiles.filter(({ file }) => file.includes("warranty") && !file.includes("/test/"));
    const lines = [...sources.map(({ text }) => text), ...configuration].join("").match(/\n/g) ?? [];
    expect(lines.length).toBeLessThanOrEqual(150);
  });

  test("the field and the service of the examples compile, start and pass their own tests", async () => {
    const copy = await copyOfSources();
    for (const { file, text } of diffs) {
      await writeFile(path.join(copy, file), applyDiff(await read(file, copy), text));
    }
    for (const { file, text } of newFiles) await write(copy, file, text);
    const manifest = (await readOfStocktake("package.json")).replaceAll("/stocktake", "/warranty");
    await write(copy, "services/warranty/package.json", manifest);
    await write(copy, "services/warranty/tsconfig.json", await readOfStocktake("tsconfig.json"));

    await inCopy(`${copy}/proto`, "buf", "generate");
    for (const service of ["register", "warranty"]) await inCopy(copy, "tsc", "-p", `services/${service}`);
    // The gateway checks the fields of its schemas when it loads them.
    await inCopy(copy, "node", "gateway/src/resources/asset.ts");
    const tests = newFiles.map(({ file }) => file).filter((file) => file.endsWith(".test.ts"));
    const { stdout } = await inCopy(copy, "vitest", "run", ...tests);
    expect(stdout).toContain(`${tests.length} passed, 0 failed`);
  });

  test("the screen of the example compiles with its texts, its route and its entry of the navigation", async () => {
    expect(screen.map(({ language }) => language)).toContain("tsx");
    const copy = await copyOfConsole();
    for (const { language, file, text } of screen)
      await write(copy, file, language === "diff" ? applyDiff(await read(file, copy), text) : text);
    await inCopy(copy, "tsc", "-p", "apps/console", "--singleThreaded");
  });
});

const withoutIndent = (text: string): string => text.replace(/^ +/gm, "");

const readOfStocktake = (file: string): Promise<string> => read(`services/stocktake/${file}`);

async function write(base: string, file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(base, file)), { recursive: true });
  await writeFile(path.join(base, file), text);
}

/** Copies the sources of the console. All dependencies are links. */
async function copyOfConsole(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), "contributing-console-"));
  const filter = (source: string): boolean => !["node_modules", "dist"].includes(path.basename(source));
  await cp(path.join(root, "apps/console"), path.join(copy, "apps/console"), { recursive: true, filter });
  for (const file of ["package.json", "tsconfig.base.json"])
    await cp(path.join(root, file), path.join(copy, file));
  for (const modules of ["node_modules", "apps/console/node_modules"])
    await symlink(path.join(root, modules), path.join(copy, modules));
  return copy;
}

/** Copies the sources. The dependencies are links, and those of this repository lead into the copy. */
async function copyOfSources(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), "contributing-"));
  const sources = [
    "proto",
    "packages",
    "services/register",
    // `npm start` makes the demo by the operator commands of identity.
    "services/identity",
    "gateway",
    "deploy",
    "test/harness",
    "test/suite",
  ];
  const filter = (source: string): boolean => path.basename(source) !== "node_modules";
  for (const source of [...sources, "package.json", "tsconfig.base.json", "vitest.config.ts"]) {
    await cp(path.join(root, source), path.join(copy, source), { recursive: true, filter });
  }
  const modules = path.join(copy, "node_modules");
  await mkdir(path.join(modules, "@asset-register"), { recursive: true });
  for (const name of await readdir(path.join(root, "node_modules"))) {
    if (name === "@asset-register") continue;
    await symlink(path.join(root, "node_modules", name), path.join(modules, name));
  }
  for (const source of await readdir(path.join(copy, "packages"))) await link(`packages/${source}`, source);
  await link("proto", "proto");
  await link("deploy/local", "local");
  await link("test/harness", "harness");
  await link("test/harness/service", "service-harness");
  return copy;

  function link(source: string, name: string): Promise<void> {
    return symlink(path.join(copy, source), path.join(modules, "@asset-register", name));
  }
}

/**
 * Runs a program of node_modules/.bin in the copy. Its tests use the servers of this run.
 *
 * @throws Error with the output of a program that fails
 */
async function inCopy(cwd: string, program: string, ...args: string[]) {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  const env = {
    ...process.env,
    MONGO_URL: mongoUrl,
    KAFKA_BROKERS: kafkaBrokers.join(","),
    REDIS_URL: redisUrl,
    NO_COLOR: "1",
  };
  try {
    return await run(path.join(root, "node_modules/.bin", program), args, { cwd, env });
  } catch (error) {
    throw new Error(`${program} failed:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}
