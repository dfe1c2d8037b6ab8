import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { eventually, testServers } from "@asset-register/harness";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const BLOCK = /<!-- tested by test\/e2e\/sightings-page\.ts -->\n```(?:sh|js)\n([\s\S]*?)```/g;
const MAIN = path.join(ROOT, "deploy/cli/src/main.ts");

type Row = Record<string, unknown>;

let directory: string;
/** The settings of a terminal, with the topics of this test. */
let env: NodeJS.ProcessEnv;
let prefix: string;

// A copy of the repository's root, with a data folder of its own.
beforeAll(async () => {
  const { demo, platform } = await joinPlatform();
  directory = await mkdtemp(path.join(tmpdir(), "asset-register-sightings-"));
  await mkdir(path.join(directory, ".local"));
  for (const name of ["package.json", "node_modules", "deploy", "test"])
    await symlink(path.join(ROOT, name), path.join(directory, name));
  const port = Number(testServers().kafkaBrokers[0]?.split(":").at(-1));
  await writeFile(path.join(directory, ".local/demo.json"), JSON.stringify(demo));
  await writeFile(path.join(directory, ".local/ports.json"), JSON.stringify({ kafka: port }));
  prefix = platform.services.register?.env.TOPIC_PREFIX ?? "";
  env = {
    ...process.env,
    // npm runs the repository's node, as a terminal would.
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    ...{ TOPIC_PREFIX: prefix, MONGO_URL: testServers().mongoUrl, NODE_ENV: "development" },
  };
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const run = promisify(execFile);

const shell = async (script: string): Promise<string> => {
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], {
    ...{ cwd: directory, env, maxBuffer: 2 ** 26 },
  });
  return stdout;
};

const toRows = (text: string): Row[] =>
  text.split("\n").flatMap((line): Row[] => (line.startsWith("{") ? [JSON.parse(line)] : []));

/** Runs the command line as an operator does, and returns what it prints. */
async function printed(...args: string[]): Promise<string> {
  const brokers = testServers().kafkaBrokers.join(",");
  const options = { env: { ...env, KAFKA_BROKERS: brokers }, maxBuffer: 2 ** 26 };
  return (await run(process.execPath, [MAIN, ...args], options)).stdout;
}

const cli = async (...args: string[]) => toRows(await printed(...args, "--json"));

const tail = (topic: string) => cli("topics", "tail", topic, "--from-beginning", "--to-end");

test("the page's commands and its consumer run as they are, and show the same sightings", async () => {
  const page = await readFile(path.join(ROOT, "services/tagging-ingest/SIGHTINGS.md"), "utf8");
  const [simulate = "", look = "", consumer = "", consume = ""] = [...page.matchAll(BLOCK)].map(
    ([, text]) => text,
  );
  expect(await shell(simulate)).toMatch(/accepted +[1-9]/);
  const seen = await eventually(async () => {
    const rows = toRows(await shell(look));
    expect(rows.map(({ type }) => type)).toContain("sighting.arrived");
    return rows;
  });

  await writeFile(path.join(directory, "sightings.mjs"), consumer);
  // A group of its own, so that bash and node get the signal.
  const child = spawn("bash", ["-euo", "pipefail", "-c", consume], { cwd: directory, env, detached: true });
  try {
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => {
      for (const { subject } of seen) expect(output).toContain(`${subject} `);
      expect(output).toMatch(/^ast_\w+ arrived rdr_\w+ [0-9A-F]{24}$/m);
    });
  } finally {
    const ended = once(child, "exit");
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  }
});

test("tail decodes every topic of tagging-ingest, and republish sends its state in a later epoch", async () => {
  for (const topic of ["tag.v1", "reader.v1", "zone.v1"]) {
    const before = await tail(topic);
    expect(before.length, topic).toBeGreaterThan(0);
    await cli("events", "republish", topic);
    const subjects = new Set(before.map(({ subject }) => subject));
    // A deleted record has no state.
    for (const { type, subject } of before) if (String(type).endsWith(".deleted")) subjects.delete(subject);
    await eventually(async () => {
      const again = (await tail(topic)).filter(({ epoch }) => Number(epoch) > 0);
      expect(new Set(again.map(({ subject }) => subject)), topic).toEqual(subjects);
    });
  }
  for (const topic of ["reader-event.v1", "reader-liveness.v1", "sighting.v1"]) {
    const rows = await tail(topic);
    expect(rows.length, topic).toBeGreaterThan(0);
    for (const row of rows) expect(row, topic).not.toHaveProperty("error");
  }
});

test("a record of reads that can't be decoded is a dead letter, which is shown, retried and dropped", async () => {
  const kafka = new Kafka({ brokers: testServers().kafkaBrokers, logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic: `${prefix}reader-event.v1`, messages: [{ value: Buffer.from([0xff]) }] });
  await producer.disconnect();
  const list = () => cli("dlq", "list", "--group", "tagging-ingest-reads");
  const id = await eventually(async () => {
    const listed = await list();
    expect(listed).toMatchObject([{ id: expect.stringMatching(/^reader-event\.v1\//), attempts: 1 }]);
    return String(listed[0]?.id);
  });
  expect(JSON.parse(await printed("dlq", "show", id))).toMatchObject({ id, group: "tagging-ingest-reads" });
  await cli("dlq", "retry", id);
  await eventually(async () => expect(await list()).toMatchObject([{ id, attempts: 2 }]));
  await cli("dlq", "drop", id);
  await eventually(async () => expect(await list()).toEqual([]));
});
