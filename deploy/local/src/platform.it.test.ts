import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Platform, startPlatform } from "./platform.ts";

// Small programs replace the services: this file tests processes, their order and their settings.
// End-to-end tests start the real services.
const header = (name: string) => `
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
const note = (what: string) => appendFileSync(process.env["NOTES"] ?? "", what + " ${name}\\n");
`;

const program = (name: string) => `${header(name)}
const [host, port] = (process.env["HEALTH_ADDRESS"] ?? "").split(":");
createServer((request, response) => response.end(JSON.stringify(process.env)))
  .listen(Number(port), host, () => note("up"));
process.on("SIGTERM", () => { note("down"); process.exit(0); });
`;

const repository = {
  "package.json": '{ "type": "module" }',
  "deploy/cli/src/main.ts": `${header("topics")} note(process.argv.slice(2).join(" "));`,
  "services/identity/src/main.ts": program("identity"),
  "services/tagging-ingest/src/main.ts": program("tagging-ingest"),
  "services/not-a-service/README.md": "",
  "gateway/src/main.ts": program("gateway"),
};

const running: Platform[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const platform of running.splice(0)) await platform.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function start(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), "platform-"));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const file = join(root, "notes");
  const notes = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  const starting = startPlatform({
    root,
    servers: { mongo: { url: "mongodb://m" }, kafka: { url: "k:1" }, redis: { url: "redis://r" } },
    dataDirectory: join(root, ".local"),
    settings: { NOTES: file },
    topicPrefix: "t1.",
    progress: () => {},
  });
  const started = starting.then((platform) => {
    running.push(platform);
    return platform;
  });
  return { started, notes, root };
}

test("topics are created first, then services start, then the gateway; the gateway stops first", async () => {
  const { started, notes } = await start(repository);
  const platform = await started;
  expect(Object.keys(platform.services)).toEqual(["identity", "tagging-ingest"]);
  const up = notes();
  expect(up[0]).toBe("topics create topics");
  expect(up.slice(1, 3).sort()).toEqual(["up identity", "up tagging-ingest"]);
  expect(up[3]).toBe("up gateway");
  await platform.stop();
  expect(notes()[4]).toBe("down gateway");
  expect(notes().slice(5).sort()).toEqual(["down identity", "down tagging-ingest"]);
});

test("a service that was killed or paused continues with the same addresses and settings", async () => {
  const { started } = await start(repository);
  const platform = await started;
  const identity = platform.services.identity!;
  const environment = async () => (await fetch(identity.healthUrl)).json();
  const before = await environment();
  expect(before).toMatchObject({
    GRPC_ADDRESS: identity.grpcAddress,
    TOPIC_PREFIX: "t1.",
    MONGO_DATABASE: "t1_identity",
  });
  await identity.kill();
  await expect(environment()).rejects.toThrow();
  await identity.restart();
  expect(await environment()).toEqual(before);
  await identity.pause();
  await expect(fetch(identity.healthUrl, { signal: AbortSignal.timeout(500) })).rejects.toThrow();
  await identity.resume();
  expect(await environment()).toEqual(before);
});

test("a process that exits unexpectedly is reported with the last lines of its log; a killed one is not reported", async () => {
  const { started } = await start({
    ...repository,
    "services/identity/src/main.ts": `${program("identity")}
      process.on("SIGUSR2", () => { console.error("the reason why"); process.exit(3); });`,
  });
  const platform = await started;
  await platform.services["tagging-ingest"]!.kill();
  process.kill(platform.services.identity!.pid(), "SIGUSR2");
  const fault = await platform.failed;
  expect(fault.message).toBe("identity ended unexpectedly with code 3.");
  expect(fault.advice).toMatch(/identity\.log.*\n.*the reason why/);
});

test("if a process can't start, the others are stopped and its reason is reported", async () => {
  const { started, notes } = await start({
    ...repository,
    "services/identity/src/main.ts": `console.error("MONGO_URL is missing"); process.exitCode = 1;`,
  });
  await expect(started).rejects.toMatchObject({
    message: "identity ended unexpectedly with code 1.",
    advice: expect.stringContaining("MONGO_URL is missing"),
  });
  expect(notes()).not.toContain("up gateway");
});
