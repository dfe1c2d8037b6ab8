import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { claimPort, isOurs } from "./port-claims.ts";
import { findFreePort, isFree, keptPort, requireFree } from "./ports.ts";

const listening: Server[] = [];

afterEach(async () => {
  for (const server of listening.splice(0)) await new Promise((resolve) => server.close(resolve));
});

function listen(port: number): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer();
    listening.push(server);
    server.listen(port, "127.0.0.1", resolve);
  });
}

const folder = () => mkdtempSync(join(tmpdir(), "ports-"));

test("a port that a program listens on is not free, and is again after it has ended", async () => {
  const port = await findFreePort();
  await listen(port);
  expect(await isFree(port)).toBe(false);
  await new Promise((resolve) => listening.pop()?.close(resolve));
  expect(await isFree(port)).toBe(true);
});

test("a taken port that was asked for names the port, its use and the setting that changes it", async () => {
  const port = await findFreePort();
  await listen(port);
  await expect(requireFree(port, "the gateway", "GATEWAY_PORT")).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`${port}.*the gateway.*taken`)),
    advice: expect.stringContaining("GATEWAY_PORT"),
  });
});

test("a restart keeps its ports, so that clients and stored addresses stay right", async () => {
  const data = folder();
  const first = await keptPort(data, "mongo");
  expect(await keptPort(data, "mongo")).toBe(first);
  expect(await keptPort(data, "redis")).not.toBe(first);
});

test("a kept port that was taken meanwhile is given up for another, which is kept from then on", async () => {
  const data = folder();
  const first = await keptPort(data, "mongo");
  await listen(first);
  const second = await keptPort(data, "mongo");
  expect(second).not.toBe(first);
  expect(JSON.parse(readFileSync(join(data, "ports.json"), "utf8"))).toEqual({ mongo: second });
});

test("names asked for side by side all get a port of their own", async () => {
  const data = folder();
  const names = Array.from({ length: 12 }, (_, index) => `service-${index}`);
  const ports = await Promise.all(names.map((name) => keptPort(data, name)));
  expect(new Set(ports).size).toBe(names.length);
  expect(await Promise.all(names.map((name) => keptPort(data, name)))).toEqual(ports);
});

test("a port that another process was given is its own before a server listens there, until that process ends", async () => {
  const ports = JSON.stringify(join(import.meta.dirname, "ports.ts"));
  const script = `import { findFreePort } from ${ports}; console.log(await findFreePort()); process.stdin.resume();`;
  const other = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void other.kill("SIGKILL"));
  const port = Number(await once(other.stdout, "data"));
  expect(await isFree(port)).toBe(true);
  expect(claimPort(port)).toBe(false);
  const data = folder();
  writeFileSync(join(data, "ports.json"), JSON.stringify({ mongo: port }));
  expect(await keptPort(data, "mongo")).not.toBe(port);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(isOurs(port)).toBe(false);
  expect(claimPort(port)).toBe(true);
  expect(claimPort(port)).toBe(false);
  expect(isOurs(port)).toBe(true);
});

test.each(["", "{", "[1]", '{"mongo":"x"}', '{"mongo":-1}', '{"mongo":99999}'])(
  "a ports file that makes no sense (%s) is replaced, not believed",
  async (text) => {
    const data = folder();
    writeFileSync(join(data, "ports.json"), text);
    expect(await keptPort(data, "mongo")).toBeGreaterThan(0);
  },
);
