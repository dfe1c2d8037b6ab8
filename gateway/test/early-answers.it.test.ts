import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@asset-register/harness";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

const MIB = 1_048_576;
/** A request is read for 2 s after its answer. */
const READ_ON_MS = 2_000;

const gateway = await startGateway();
afterAll(() => gateway?.stop());

/** Opens a connection and sends the headers of a POST whose body is larger than its route accepts. */
async function beginTooLarge(bytes: number): Promise<{ socket: Socket; received: () => string }> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
  });
  socket.write(
    "POST /asset_manager_api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n" +
      `content-length: ${bytes}\r\n\r\n`,
  );
  return { socket, received: () => text };
}

/** Sends a whole body slowly before it reads. Returns how long that took, and what came until the connection's end. */
async function sendWholeBody() {
  const { socket, received } = await beginTooLarge(4 * MIB);
  const started = performance.now();
  let failure: Error | undefined;
  socket.on("error", (error) => {
    failure = error;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (let sent = 0; sent < 4 * MIB; sent += MIB / 16) {
    socket.write(Buffer.alloc(MIB / 16, " "));
    await sleep(2);
  }
  const tookMs = performance.now() - started;
  await closed;
  return { tookMs, failure, text: received() };
}

test("a client that sends its whole body before it reads gets the 413, and no reset", async () => {
  const { failure, text } = await eventually(async () => {
    const sent = await sendWholeBody();
    // A client that is slower than that may be reset.
    expect(sent.tookMs).toBeLessThan(READ_ON_MS / 2);
    return sent;
  });
  expect(failure).toBeUndefined();
  expect(text).toMatch(/^HTTP\/1.1 413 /);
  expect(text).toContain("PAYLOAD_TOO_LARGE");
});

test.each([
  ["sends nothing more", 0],
  ["sends without end", MIB],
])("a client that got its 413 and %s loses its connection within seconds", async (_name, bytes) => {
  const { socket, received } = await beginTooLarge(1_000_000 * MIB);
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const started = performance.now();
  while (bytes > 0 && !socket.destroyed) {
    if (!socket.write(Buffer.alloc(bytes)))
      await Promise.race([once(socket, "drain"), closed]).catch(() => 0);
  }
  await closed;
  expect(received()).toMatch(/^HTTP\/1.1 413 /);
  expect(performance.now() - started).toBeLessThan(50_000);
});
