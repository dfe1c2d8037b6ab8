import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "./eventually.ts";
import { privateServer, testServers } from "./servers.ts";

const ROOT = path.join(import.meta.dirname, "../..");
/** Names the file in which the run that is to be interrupted says what it has started. */
const NOTE = "INTERRUPTED_RUN_NOTE";
const note = process.env[NOTE];

if (note !== undefined) {
  test("a run is interrupted here", async () => {
    const own = await privateServer("redis");
    await writeFile(note, JSON.stringify({ whole: [testServers().redisUrl, own.url] }));
    await new Promise(() => {});
  });
} else {
  test.each([
    ["Ctrl-C, which reaches its tests too", "SIGINT", -1],
    ["SIGTERM", "SIGTERM", 1],
  ] as const)("%s ends a run with the servers that it and its tests have started", async (_, name, sign) => {
    const directory = await mkdtemp(path.join(tmpdir(), "asset-register-interrupted-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const file = path.join(directory, "note.json");
    // One server of the run's own is enough.
    const { REDIS_URL: _own, ...env } = process.env;
    const { mongoUrl, kafkaBrokers } = testServers();
    const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
    const run = spawn(process.execPath, [vitest, "run", "test/harness/interrupted.it.test.ts"], {
      cwd: ROOT,
      env: { ...env, MONGO_URL: mongoUrl, KAFKA_BROKERS: kafkaBrokers.join(","), [NOTE]: file },
      stdio: "ignore",
      detached: true,
    });
    const ended = once(run, "exit");
    onTestFinished(() => void run.kill("SIGKILL"));
    const { whole: urls }: { whole: string[] } = await eventually(async () =>
      JSON.parse(await readFile(file, "utf8")),
    );
    for (const url of urls) expect(await answers(url)).toBe(true);
    process.kill(sign * (run.pid ?? Number.NaN), name);
    expect((await ended)[0]).not.toBe(0);
    for (const url of urls) await eventually(async () => expect(await answers(url)).toBe(false));
  });
}

async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
