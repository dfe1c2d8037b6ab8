import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { findFreePort } from "../ports.ts";
import { createNetwork, type Network } from "./network.ts";

/** The client's process is this one, so it is the caller of every connection. */
const members = new Map([[process.pid, "gateway-1"]]);
let network: Network;
let port: number;

/** An echo server behind a proxy. */
beforeEach(async () => {
  network = createNetwork(() => members);
  const echo = createServer((socket) => socket.pipe(socket));
  const target = await findFreePort();
  echo.listen(target, "127.0.0.1");
  await once(echo, "listening");
  port = await findFreePort();
  await network.open("mongo-1", port, target);
  onTestFinished(async () => {
    await network.close();
    echo.close();
  });
});

async function open(): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function echoed(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, "data");
  socket.write(text);
  return String((await answer)[0]);
}

/** Whether an answer comes within a quarter of a second. */
async function answers(socket: Socket, text: string): Promise<boolean> {
  return Promise.race([echoed(socket, text).then(() => true), sleep(250, false)]);
}

describe("a network", () => {
  it("bytes pass through a proxy, and the end of a connection too", async () => {
    const socket = await open();
    expect(await echoed(socket, "hello")).toBe("hello");
    socket.end();
    await once(socket, "close");
  });

  it("a member that is cut off gets nothing over open and new connections, until it is connected again", async () => {
    const early = await open();
    expect(await echoed(early, "before")).toBe("before");
    const heal = network.disturb({ to: "mongo-1", cut: true });
    const late = await open();
    expect(await answers(early, "lost?")).toBe(false);
    expect(await answers(late, "late")).toBe(false);
    const [first, second] = [once(early, "data"), once(late, "data")];
    heal();
    // Nothing is lost: what was sent meanwhile arrives, as after TCP has repeated it.
    expect(String((await first)[0])).toBe("lost?");
    expect(String((await second)[0])).toBe("late");
  });

  it("a cut of one pair leaves the others connected", async () => {
    const own = await open();
    network.disturb({ from: "register-1", to: "mongo-1", cut: true });
    expect(await echoed(own, "another caller")).toBe("another caller");
    network.disturb({ from: "gateway-1", to: "mongo-1", cut: true });
    expect(await answers(own, "this caller")).toBe(false);
  });

  it("a connection of another process is known by the owner of its port", async () => {
    network.disturb({ from: "gateway-1", to: "mongo-1", cut: true });
    const program = `const s = require("node:net").connect(${port}, "127.0.0.1", () => s.write("child"));
      s.on("data", (data) => { console.log(String(data)); s.destroy(); });`;
    const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const [data] = await once(child.stdout, "data");
    expect(String(data).trim()).toBe("child");
  });

  it("in one direction only, what is sent arrives and the answer does not", async () => {
    const socket = await open();
    const heal = network.disturb({ to: "mongo-1", direction: "in", cut: true });
    const answer = once(socket, "data");
    expect(await answers(socket, "asked")).toBe(false);
    heal();
    expect(String((await answer)[0])).toBe("asked");
  });

  it("a slow connection delivers everything in order, later", async () => {
    const socket = await open();
    const heal = network.disturb({ to: "mongo-1", direction: "out", delayMs: 50 });
    const received: string[] = [];
    socket.on("data", (data) => received.push(String(data)));
    const started = performance.now();
    socket.write("1");
    await sleep(10);
    socket.write("2");
    heal();
    socket.write("3");
    while (received.join("") !== "123") await once(socket, "data");
    expect(performance.now() - started).toBeGreaterThanOrEqual(49);
  });
});
