import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const fixture = fileURLToPath(new URL("../test/app.fixture.ts", import.meta.url));

type Run = {
  child: ChildProcess;
  printed(text: string): Promise<void>;
  ended: Promise<{ code: number | null; text: string }>;
};

/** Starts a separate process, because the test's own process cannot test signals and exit codes. */
function run(...behaviour: string[]): Run {
  const child = spawn(process.execPath, [fixture, ...behaviour]);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
      child.emit("printed");
    });
  }
  async function printed(wanted: string): Promise<void> {
    while (!text.includes(wanted)) await once(child, "printed");
  }
  return { child, printed, ended: once(child, "close").then(([code]) => ({ code, text })) };
}

describe("runApp", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "on %s the app is stopped and the exit code is 0",
    async (signal) => {
      const app = run("well");
      await app.printed("started");
      app.child.kill(signal);
      expect(await app.ended).toMatchObject({ code: 0, text: expect.stringContaining("stopping") });
    },
  );

  it("if the stop takes twice shutdownTimeoutMs the exit code is 1, so that a rollout does not hang", async () => {
    const app = run("hangs");
    await app.printed("started");
    app.child.kill("SIGTERM");
    const { code, text } = await app.ended;
    expect(code).toBe(1);
    expect(text).toMatch(/"stopTimeoutMs":300,.*did not stop in time/);
  });

  it("two signals within a second, as from npm and the terminal, count as one", async () => {
    const app = run("is slow");
    await app.printed("started");
    app.child.kill("SIGINT");
    await app.printed("received SIGINT");
    app.child.kill("SIGTERM");
    await app.printed("received SIGTERM");
    app.child.stdin?.end();
    expect((await app.ended).code).toBe(0);
  });

  it("a second signal after more than a second ends the process immediately with exit code 1", async () => {
    const app = run("is slow", "later");
    await app.printed("started");
    app.child.kill("SIGINT");
    await app.printed("received SIGINT");
    app.child.kill("SIGINT");
    const { code, text } = await app.ended;
    expect(code).toBe(1);
    expect(text).not.toContain("did not stop in time");
  });

  it("after an uncaught error during the stop, the exit code is 1", async () => {
    const app = run("throws late");
    await app.printed("started");
    app.child.kill("SIGTERM");
    await app.printed("not caught");
    app.child.stdin?.end();
    expect((await app.ended).code).toBe(1);
  });

  it("after an uncaught error the app is stopped and the exit code is 1", async () => {
    const { code, text } = await run("throws").ended;
    expect(code).toBe(1);
    expect(text).toContain("not caught");
    expect(text).toContain("stopping");
  });

  it("if the start finishes the work, as a migration job does, the app is stopped and the exit code is 0", async () => {
    const { code, text } = await run("finishes").ended;
    expect(code).toBe(0);
    expect(text).toContain("stopping");
  });

  it("if the start fails, the exit code is 1", async () => {
    expect(await run("fails").ended).toMatchObject({
      code: 1,
      text: expect.stringContaining("cannot start"),
    });
  });

  it("an invalid setting is reported without a stack trace, and the exit code is 1", async () => {
    const { code, text } = await run("misconfigured").ended;
    expect(code).toBe(1);
    expect(text).toContain("MISSING_ONE: is not set");
    expect(text).not.toContain("    at ");
  });
});
