import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const fixture = fileURLToPath(new URL("../test/app.fixture.ts", import.meta.url));

type Run = {
  child: ChildProcess;
  said(text: string): Promise<void>;
  ended: Promise<{ code: number | null; text: string }>;
};

/** A process of its own: signals and exit codes can't be tried inside the test's. */
function run(...behaviour: string[]): Run {
  const child = spawn(process.execPath, [fixture, ...behaviour]);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
      child.emit("said");
    });
  }
  async function said(wanted: string): Promise<void> {
    while (!text.includes(wanted)) await once(child, "said");
  }
  return { child, said, ended: once(child, "close").then(([code]) => ({ code, text })) };
}

describe("runApp", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("stops in order on %s and exits with 0", async (signal) => {
    const app = run("well");
    await app.said("started");
    app.child.kill(signal);
    expect(await app.ended).toMatchObject({ code: 0, text: expect.stringContaining("stopping") });
  });

  it("exits with 1 when stopping hangs for twice the app's shutdown time, so that a rollout does not wait for ever", async () => {
    const app = run("hangs");
    await app.said("started");
    app.child.kill("SIGTERM");
    const { code, text } = await app.ended;
    expect(code).toBe(1);
    expect(text).toMatch(/"stopTimeoutMs":300,.*did not stop in time/);
  });

  it("takes a signal that comes twice, as from npm and the terminal, as one", async () => {
    const app = run("is slow");
    await app.said("started");
    app.child.kill("SIGINT");
    await app.said("heard SIGINT");
    app.child.kill("SIGTERM");
    await app.said("heard SIGTERM");
    app.child.stdin?.end();
    expect((await app.ended).code).toBe(0);
  });

  it("ends at once on a second signal that comes later", async () => {
    const app = run("is slow", "later");
    await app.said("started");
    app.child.kill("SIGINT");
    await app.said("heard SIGINT");
    app.child.kill("SIGINT");
    const { code, text } = await app.ended;
    expect(code).toBe(1);
    expect(text).not.toContain("did not stop in time");
  });

  it("exits with 1 after an error that nobody caught while it stopped in order", async () => {
    const app = run("throws late");
    await app.said("started");
    app.child.kill("SIGTERM");
    await app.said("nobody caught me");
    app.child.stdin?.end();
    expect((await app.ended).code).toBe(1);
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
