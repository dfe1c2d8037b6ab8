import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { claimPort, isClaimedByThisProcess } from "./port-claims.ts";
import { assignPort, findFreePort, isFree, requireFree } from "./ports.ts";

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

test("a port is not free while a program listens on it, and free again afterwards", async () => {
  const port = await findFreePort();
  await listen(port);
  expect(await isFree(port)).toBe(false);
  await new Promise((resolve) => listening.pop()?.close(resolve));
  expect(await isFree(port)).toBe(true);
});

test("the error for a taken port names the port, its use and the setting that changes it", async () => {
  const port = await findFreePort();
  await listen(port);
  await expect(requireFree(port, "the gateway", "GATEWAY_PORT")).rejects.toMatchObject({
    message: expect.stringMatching(new RegExp(`${port}.*the gateway.*taken`)),
    advice: expect.stringContaining("GATEWAY_PORT"),
  });
});

test("a restart keeps its ports, so that stored addresses stay valid", async () => {
  const data = folder();
  const first = await assignPort(data, "mongo");
  expect(await assignPort(data, "mongo")).toBe(first);
  expect(await assignPort(data, "redis")).not.toBe(first);
});

test("if an assigned port is taken by another program, a new port is assigned and recorded", async () => {
  const data = folder();
  const first = await assignPort(data, "mongo");
  await listen(first);
  const second = await assignPort(data, "mongo");
  expect(second).not.toBe(first);
  expect(JSON.parse(readFileSync(join(data, "ports.json"), "utf8"))).toEqual({ mongo: second });
});

test("concurrent requests for different names all get different ports", async () => {
  const data = folder();
  const names = Array.from({ length: 12 }, (_, index) => `service-${index}`);
  const ports = await Promise.all(names.map((name) => assignPort(data, name)));
  expect(new Set(ports).size).toBe(names.length);
  expect(await Promise.all(names.map((name) => assignPort(data, name)))).toEqual(ports);
});

test("a port claimed by another process is not assigned until that process ends, even if no server listens on it", async () => {
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
  expect(await assignPort(data, "mongo")).not.toBe(port);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(isClaimedByThisProcess(port)).toBe(false);
  expect(claimPort(port)).toBe(true);
  expect(claimPort(port)).toBe(false);
  expect(isClaimedByThisProcess(port)).toBe(true);
});

test.each(["", "{", "[1]", '{"mongo":"x"}', '{"mongo":-1}', '{"mongo":99999}'])(
  "an invalid ports.json (%s) is replaced",
  async (text) => {
    const data = folder();
    writeFileSync(join(data, "ports.json"), text);
    expect(await assignPort(data, "mongo")).toBeGreaterThan(0);
  },
);
