import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { startProcess } from "../managed-process.ts";
import { findFreePort } from "../ports.ts";
import { controlCluster, createControl, serveControl } from "./control.ts";
import type { ClusterMember } from "./member.ts";
import { createNetwork } from "./network.ts";

let data: string;
let port: number;
let pid: number;

/** A member behind a proxy. Its process sleeps, and the server that its proxy reaches is in this process. */
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "control-"));
  mkdirSync(join(data, "run"));
  const sleeper = await startProcess({
    ...{ name: "mongo-1", command: "sleep", args: ["600"], env: process.env, cwd: data, dataDirectory: data },
    logFile: join(data, "logs", "sleep.log"),
  });
  pid = sleeper.pid;
  const member: ClusterMember = {
    ...{ kind: "mongo", address: "127.0.0.1:1", pid: () => sleeper.pid },
    ...{ stop: () => sleeper.stop(1_000), kill: () => sleeper.kill(), restart: async () => undefined },
    ...{ pause: async () => sleeper.pause(), resume: async () => sleeper.resume() },
  };
  const members = new Map([
    ["mongo-1", member],
    ["redis-1", member],
  ]);
  const network = createNetwork(() => new Map([[process.pid, "register-1"]]));
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const address = echo.address();
  port = await findFreePort();
  await network.open("mongo-1", port, typeof address === "object" && address !== null ? address.port : 0);
  const end = await serveControl(createControl({ members, network }), data);
  onTestFinished(async () => {
    end();
    await sleeper.kill();
    await network.close();
    echo.close();
  });
});

const control = (...args: string[]) => controlCluster(args, data);

test("a member is named, cut off and connected again from another process", async () => {
  expect(await control("status")).toContain(
    `mongo-1                  127.0.0.1:1            process ${pid}\n`,
  );
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  await control("cut", "mongo-1");
  const answer = once(socket, "data");
  socket.write("hello");
  expect(await Promise.race([answer, sleep(250, "nothing")])).toBe("nothing");
  await control("heal");
  expect(String((await answer)[0])).toBe("hello");
  socket.destroy();
});

test("a member is killed by name", async () => {
  expect(await control("kill", "mongo-1")).toBe("done\n");
  expect(() => process.kill(pid, 0)).toThrow();
});

test.each([
  [["kill", "mongo-9"], /no member "mongo-9".*\n?/],
  [["break", "mongo-1"], /"break" is not a command/],
  [["slow", "mongo-1", "soon"], /"soon" is not a number of milliseconds/],
  [["cut", "mongo-1", "nobody"], /no member "nobody"/],
  [["cut", "redis-1"], /No proxy is in front of redis-1/],
])("%j is refused", async (args, message) => {
  await expect(control(...args)).rejects.toThrow(message);
});

test("without a cluster the command says how to start one", async () => {
  await expect(controlCluster(["status"], mkdtempSync(join(tmpdir(), "control-")))).rejects.toMatchObject({
    message: expect.stringContaining("No cluster runs"),
    advice: expect.stringContaining("npm start -- --cluster"),
  });
});
