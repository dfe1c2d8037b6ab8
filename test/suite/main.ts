/**
 * Runs the tests: `npm test -- [--cost] [--changed [COMMIT]] [options and folders of vitest]`.
 *
 * --cost     prints CPU time by process and by test file, and keeps it in .local/test-cost.json
 * --changed  runs the tests that the changes since a commit can reach. Default: those not yet committed
 */
import { spawn } from "node:child_process";
import { changedFiles, reach, readWorkspaces } from "./reach.ts";

const given = process.argv.slice(2);
const cost = given.includes("--cost");
const changed = given.find((word) => /^--changed(=|$)/.test(word));
const others = given.filter((word) => word !== "--cost" && word !== changed);

const folders = changed === undefined ? [] : foldersSince(changed.split("=")[1] ?? "HEAD");
const child = spawn("vitest", ["run", ...folders.map((folder) => `${folder}/`), ...others], {
  env: { ...process.env, ...(cost && { TEST_COST: "1" }) },
  stdio: "inherit",
});
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => child.kill(name));
child.on("exit", (code) => process.exit(code ?? 1));

function foldersSince(commit: string): string[] {
  const files = changedFiles(commit);
  if (files.length === 0) {
    process.stdout.write(`Nothing has changed since ${commit}.\n`);
    process.exit(0);
  }
  const reached = reach(files, readWorkspaces());
  process.stdout.write(`${files.length} changed files reach ${reached?.join(", ") ?? "everything"}.\n`);
  return reached ?? [];
}
