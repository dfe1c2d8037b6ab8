import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const TESTED_BLOCK = /<!-- tested by test\/e2e\/readme\.ts -->\n```sh\n([\s\S]*?)```/g;
const SIMULATOR = path.join(ROOT, "test/simulator/main.ts");

const { demo } = await joinPlatform();
const directory = await mkdtemp(path.join(tmpdir(), "asset-register-readme-"));
await mkdir(path.join(directory, ".local"));
await writeFile(path.join(directory, ".local/demo.json"), JSON.stringify(demo));
// `npm run simulate`, with the demo of this folder.
const scripts = { simulate: `"${process.execPath}" "${SIMULATOR}"` };
await writeFile(path.join(directory, "package.json"), JSON.stringify({ scripts }));

afterAll(() => rm(directory, { recursive: true, force: true }));

const run = promisify(execFile);

test("the commands of the README's first steps run as they are and return the described results", async () => {
  const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(TESTED_BLOCK)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(2);
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", blocks.join("\n")], { cwd: directory });
  expect(stdout).toContain(demo.workspace_id);
  expect(stdout).toContain('"name":"ThinkPad X1"');
  expect(stdout).toContain('"total":1');
  // The stream, beside the summary of the simulator.
  expect(stdout).toMatch(/^id: \S+\nevent: asset.created\ndata: \{"id":"msg_/m);
  expect(stdout).toMatch(/^event: tag.commissioned$/m);
  expect(stdout).toMatch(/\d+ reads in [\d.]+ s/);
});

test("the fleet simulator runs and reports accepted, duplicate and refused reads", async () => {
  const args = ["--readers", "3", "--tags", "20", "--assets", "3", "--rate", "60", "--seconds", "3"];
  // With this seed the first requests include a duplicate and a bad signature. A slow machine may send no more in 3 s.
  const shares = ["--duplicates", "0.5", "--bad-signatures", "0.3", "--seed", "3"];
  const { stdout } = await run(process.execPath, [SIMULATOR, ...args, ...shares], { cwd: directory });
  expect(stdout).toMatch(/\d+ reads in [\d.]+ s/);
  expect(stdout).toMatch(/accepted +[1-9]\d*/);
  expect(stdout).toMatch(/duplicate +[1-9]\d*/);
  expect(stdout).toMatch(/refused 401 READER_SIGNATURE_INVALID +[1-9]\d*/);
  expect(stdout).toMatch(/p50 [\d.]+, p90 [\d.]+, p99 [\d.]+/);
});

test("the simulator plays a whole stock-take: every kind of variance is found and decided, and the session is closed", async () => {
  const args = ["--stocktake", "--assets", "20", "--devices", "3", "--duplicates", "0.5", "--seed", "3"];
  const { stdout } = await run(process.execPath, [SIMULATOR, ...args], { cwd: directory });
  expect(stdout).toContain("is open: 20 assets are expected");
  expect(stdout).toMatch(/accepted +22\n/);
  expect(stdout).toMatch(/replayed +[1-9]/);
  // Two of twenty are missing, two are in the other room, and two are seen in both.
  expect(stdout).toContain("coverage 0.9, accuracy 0.7, 8 to decide");
  expect(stdout).toMatch(/found +14/);
  for (const [kind, decided] of [
    ["missing", "written_off 2"],
    ["unregistered", "ignored 2"],
  ]) {
    expect(stdout).toMatch(new RegExp(`${kind} +2 +${decided}`));
  }
  for (const kind of ["misplaced", "duplicate"]) expect(stdout).toMatch(new RegExp(`${kind} +2 `));
  expect(stdout).toContain("is closed: 18 assets are marked as counted");
});

test("the simulator plays the formats of several vendors through an edge agent, and the platform accepts each read", async () => {
  const args = [
    "--through-agent",
    "--tags",
    "20",
    "--assets",
    "2",
    "--rate",
    "80",
    "--seconds",
    "4",
    "--seed",
    "5",
  ];
  const { stdout } = await run(process.execPath, [SIMULATOR, ...args], { cwd: directory });
  for (const reader of ["impinj-post", "zebra-post", "llrp", "impinj-mqtt"]) {
    expect(stdout).toMatch(new RegExp(`${reader} +[1-9]\\d* reads sent, .* 0 refused, 0 unreadable`));
  }
  expect(stdout).toContain("The platform has accepted every read");
});
