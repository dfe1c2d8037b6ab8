import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { eventually } from "@asset-register/harness";
import { createApi, createUserApi } from "@asset-register/harness/client";
import { afterAll, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

const PAGE = path.join(import.meta.dirname, "../../gateway/docs/events.md");

const { demo } = await joinPlatform();
const keyApi = createApi(`${demo.base_url}/v1`, demo.api_key);
const userApi = createUserApi(demo.base_url, demo);
const env = { ...process.env, BASE: demo.base_url, KEY: demo.api_key };
const directory = await mkdtemp(path.join(tmpdir(), "asset-register-events-"));
afterAll(() => rm(directory, { recursive: true, force: true }));

type Asset = { data: { id: string; number: string } };
type Entry = { id: string; type: string; data: { asset_id?: string } };

const run = promisify(execFile);

async function example(language: string): Promise<string> {
  const block = new RegExp(`<!-- tested by test/e2e/events.ts -->\n\`\`\`${language}\n([\\s\\S]*?)\`\`\``);
  return block.exec(await readFile(PAGE, "utf8"))?.[1] ?? "throw the page has no such example";
}

test("the example of pages in gateway/docs/events.md lists an asset that was just created", async () => {
  const { data: asset } = await keyApi.post<Asset>("/assets", { name: "Listed" });
  await eventually(async () => {
    const page = await keyApi.get<{ data: Entry[] }>(`/events?asset_id=${asset.id}`);
    expect(page.data.map(({ type }) => type)).toEqual(["asset.created"]);
  });
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", await example("sh")], { env });
  expect(stdout).toContain(`asset.created ${asset.number}\n`);
  expect(stdout).toMatch(/"has_more":(true|false)\}\}$/);
});

test("the example of a stream in gateway/docs/events.md follows what happens, and goes on by cursor", async () => {
  const file = path.join(directory, "follow.mjs");
  const call = "\nawait follow((event) => console.log(JSON.stringify(event)));\n";
  await writeFile(file, (await example("js")) + call);
  const program = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const got: Entry[] = [];
  createInterface({ input: program.stdout }).on("line", (line) => got.push(JSON.parse(line) as Entry));
  try {
    const created: string[] = [];
    // The program needs a moment until it listens.
    await eventually(async () => {
      created.push((await keyApi.post<Asset>("/assets", { name: "Followed" })).data.id);
      await eventually(() => expect(got.map(({ data }) => data.asset_id)).toContain(created.at(-1)), {
        timeoutMs: 3_000,
      });
    });
    const seen = got.filter(({ type }) => type === "asset.created").map(({ data }) => data.asset_id);
    expect(created.slice(-seen.length)).toEqual(seen);
  } finally {
    program.kill();
    await once(program, "close");
  }
});

test("an asset that is moved on one surface is an event on the other, with the id of the webhook's message", async () => {
  const latest = await keyApi.get<{ meta: { next_after: string } }>("/events?after=latest");
  const asset = await userApi.post<{ id: string }>("/assets", { name: "Moved" });
  const custodian = await userApi.post<{ id: string }>("/custodians", { name: "Ada" });
  await userApi.post("/movements", { asset_id: asset.id, to_custodian_id: custodian.id });
  await eventually(async () => {
    const query = `asset_id=${asset.id}&after=${latest.meta.next_after}&wait=5`;
    const { data } = await keyApi.get<{ data: Entry[] }>(`/events?${query}`);
    expect(data.map(({ type }) => type)).toEqual(["asset.created", "asset.moved"]);
    for (const { id } of data) expect(id).toMatch(/^msg_/);
  });
});
