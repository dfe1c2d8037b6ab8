import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** As much of the engine's interface as says which containers there are; none of them can be started. */
async function startEngine(containers: Map<string, { name: string; state: string }>) {
  const find = (key: string) => [...containers].find(([id, { name }]) => key === id || key === name);
  const answer = (method: string, url: URL): [number, unknown] => {
    const [, kind, key = "", verb] = url.pathname.split("/");
    if (kind !== "containers") return [200, {}];
    if (key === "json")
      return [200, [...containers].filter(([, { state }]) => state === "running").map(([Id]) => ({ Id }))];
    if (key === "create") {
      const name = url.searchParams.get("name") ?? "";
      if (find(name)) return [409, { message: `The container name "/${name}" is already in use` }];
      containers.set(`id of ${name}`, { name, state: "created" });
      return [201, { Id: `id of ${name}` }];
    }
    const [id, container] = find(decodeURIComponent(key)) ?? [];
    if (id === undefined) return [404, { message: "No such container" }];
    if (method === "DELETE") return containers.delete(id) ? [204, undefined] : [500, {}];
    if (verb === "stop") return container?.state === "running" ? [204, undefined] : [304, undefined];
    return [500, { message: "this engine starts nothing" }];
  };
  const server = createServer((request, response) => {
    const [status, body] = answer(request.method ?? "", new URL(request.url ?? "", "http://engine"));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A process of its own, since the engine that was found is remembered by the module that looks for it. */
async function run(engine: string, ...args: string[]): Promise<string> {
  const { REDIS_URL: _own, ASSET_REGISTER_SERVERS: _native, ...env } = process.env;
  const main = join(import.meta.dirname, "main.ts");
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [main, ...args],
      { env: { ...env, DOCKER_HOST: engine } },
      (_, stdout, stderr) => resolve(`${stdout}${stderr}`),
    );
  });
}

test("a container that has exited is removed by its note, and one that is gone is no fault", async () => {
  const data = mkdtempSync(join(tmpdir(), "docker-"));
  mkdirSync(join(data, "run"));
  writeFileSync(join(data, "run", "redis.container"), "abc");
  writeFileSync(join(data, "run", "kafka.container"), "gone");
  const containers = new Map([["abc", { name: "ours", state: "exited" }]]);
  expect(await run(await startEngine(containers), "stop", "--data", data)).toMatch(
    /stopped what was left behind: (redis, kafka|kafka, redis)/,
  );
  expect([...containers]).toEqual([]);
  expect(existsSync(join(data, "run", "redis.container"))).toBe(false);
});

test("a container without a note that holds the name does not block a start, nor does one that failed", async () => {
  const data = mkdtempSync(join(tmpdir(), "docker-"));
  const name = `asset-register-${createHash("sha256").update(data).digest("hex").slice(0, 8)}-redis`;
  const containers = new Map([["abc", { name, state: "exited" }]]);
  expect(await run(await startEngine(containers), "servers", "--data", data)).toContain(
    "this engine starts nothing",
  );
  expect([...containers]).toEqual([]);
});
