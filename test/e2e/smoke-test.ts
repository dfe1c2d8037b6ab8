import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

const run = promisify(execFile);
const CLI = path.join(import.meta.dirname, "../../deploy/cli/src/main.ts");
const { demo } = await joinPlatform();

/** The command of `helm test`. */
function smokeTest(email: string) {
  const settings = { SMOKE_TEST_EMAIL: email, SMOKE_TEST_PASSWORD: demo.password };
  // On a busy test machine, a read is shown late.
  const env = { ...process.env, ...settings, SMOKE_TEST_TIMEOUT: "150s" };
  return run(process.execPath, [CLI, "smoke-test", demo.base_url], { env });
}

test("the smoke test does the main job, and removes what it made", async () => {
  const { stdout, stderr } = await smokeTest(demo.email);
  expect(stdout).toMatch(/^signed in\n(.+\n)+the feed of events has the tag\n$/);
  expect(stderr).not.toContain("remove");
});

test("the smoke test names the step that failed", async () => {
  const failed = { code: 1, stderr: expect.stringContaining("sign in: POST /login answered 401") };
  await expect(smokeTest("nobody@example.com")).rejects.toMatchObject(failed);
});
