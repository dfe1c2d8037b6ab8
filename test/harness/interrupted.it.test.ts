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
/** The variable with the file in which the inner run, which is interrupted, writes the URLs of its servers. */
const URLS_FILE = "INTERRUPTED_RUN_URLS_FILE";
const urlsFile = process.env[URLS_FILE];

if (urlsFile !== undefined) {
  test("the inner run starts a server and waits until it is interrupted", async () => {
    const own = await privateServer("redis");
    await writeFile(urlsFile, JSON.stringify({ urls: [testServers().redisUrl, own.url] }));
    await new Promise(() => {});
  });
} else {
  test.each([
    ["Ctrl-C, sent to the process group", "SIGINT", -1],
    ["SIGTERM, sent to the process", "SIGTERM", 1],
  ] as const)(
    "%s: the test run and the servers that it and its tests have started all exit",
    async (_, name, sign) => {
      const directory = await mkdtemp(path.join(tmpdir(), "asset-register-interrupted-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      const file = path.join(directory, "urls.json");
      // The inner run uses the shared MongoDB and Kafka. One server of its own is enough for the test.
      const { REDIS_URL: _redis, ...env } = process.env;
      const { mongoUrl, kafkaBrokers } = testServers();
      const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
      const run = spawn(process.execPath, [vitest, "run", "test/harness/interrupted.it.test.ts"], {
        cwd: ROOT,
        env: { ...env, MONGO_URL: mongoUrl, KAFKA_BROKERS: kafkaBrokers.join(","), [URLS_FILE]: file },
        stdio: "ignore",
        detached: true,
      });
      const ended = once(run, "exit");
      onTestFinished(() => void run.kill("SIGKILL"));
      const { urls }: { urls: string[] } = await eventually(async () =>
        JSON.parse(await readFile(file, "utf8")),
      );
      for (const url of urls) expect(await accepts(url)).toBe(true);
      process.kill(sign * (run.pid ?? Number.NaN), name);
      expect((await ended)[0]).not.toBe(0);
      for (const url of urls) await eventually(async () => expect(await accepts(url)).toBe(false));
    },
  );
}

/** Whether a server accepts connections at this URL. */
async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connected = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
