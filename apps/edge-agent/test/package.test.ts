import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { VERSION } from "../src/version.ts";

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "..");

test("the packed agent runs with npx, without the repository or a dependency", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "edge-agent-package-"));
  const dist = path.join(directory, "dist");
  await run(process.execPath, [path.join(ROOT, "build.ts"), dist]);
  // A cache of its own, so that npx does not find the package of an earlier run.
  const env = { ...process.env, npm_config_cache: path.join(directory, "cache"), npm_config_offline: "true" };
  const packed = await run("npm", ["pack", dist, "--pack-destination", directory, "--json"], { env });
  const [{ filename, files }] = JSON.parse(packed.stdout);
  expect(files.map((file: { path: string }) => file.path).sort()).toEqual([
    "README.md",
    "agent.example.yaml",
    "agent.js",
    "docs/connect.md",
    "package.json",
  ]);
  const { stdout } = await run(
    "npx",
    ["--yes", "--package", path.join(directory, filename), "edge-agent", "--help"],
    { env, cwd: directory },
  );
  expect(stdout).toContain("The edge agent of Asset Register");
  rmSync(directory, { recursive: true });
});

test("the version in the code is that of package.json", () => {
  expect(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).version).toBe(VERSION);
});
