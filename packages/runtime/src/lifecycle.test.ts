import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const fixture = fileURLToPath(new URL("../test/app.fixture.ts", import.meta.url));

type Run = {
  child: ChildProcess;
  started: Promise<void>;
  ended: Promise<{ code: number | null; text: string }>;
};

/** A process of its own: signals and exit codes can't be tried inside the test's. */
function run(behaviour: string): Run {
  const child = spawn(process.execPath, [fixture, behaviour], { stdio: ["ignore", "pipe", "pipe"] });
  const { promise: started, resolve } = Promise.withResolvers<void>();
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("started")) resolve();
    });
  }
  return { child, started, ended: once(child, "close").then(([code]) => ({ code, text })) };
}

describe("runApp", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("stops in order on %s and exits with 0", async (signal) => {
    const app = run("well");
    await app.started;
    app.child.kill(signal);
    expect(await app.ended).toMatchObject({ code: 0, text: expect.stringContaining("stopping") });
  });

  it("exits with 1 when stopping hangs, so that a rollout does not wait for ever", async () => {
    const app = run("hangs");
    await app.started;
    app.child.kill("SIGTERM");
    expect(await app.ended).toMatchObject({ code: 1, text: expect.stringContaining("did not stop in time") });
  });

  it("stops and exits with 1 after an error that nobody caught", async () => {
    const { code, text } = await run("throws").ended;
    expect(code).toBe(1);
    expect(text).toContain("nobody caught me");
    expect(text).toContain("stopping");
  });

  it("exits with 1 when starting fails", async () => {
    expect(await run("fails").ended).toMatchObject({
      code: 1,
      text: expect.stringContaining("cannot start"),
    });
  });

  it("tells the operator the wrong setting without a stack", async () => {
    const { code, text } = await run("misconfigured").ended;
    expect(code).toBe(1);
    expect(text).toContain("MISSING_ONE: is not set");
    expect(text).not.toContain("    at ");
  });
});
