import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { requestTimeout } from "./request-timeout.ts";

test("an upload that stalls is 408; a connection without a request is closed without an answer", async () => {
  const app = Fastify({ connectionTimeout: 200 });
  await app.register(requestTimeout, { requestTimeoutMs: 60_000, uploadBytesPerSecond: 1 });
  app.post("/", async () => ({}));
  await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const answerTo = async (text: string): Promise<string> => {
    const socket = connect(port);
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("error", () => undefined);
    socket.write(text);
    await once(socket, "close");
    return answer;
  };
  const head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n";
  const stalled = await answerTo(`${head}{"name":`);
  expect(stalled).toMatch(/^HTTP\/1.1 408 /);
  expect(stalled).toContain("The request did not arrive in time.");
  expect(await answerTo("POST / HTTP/1.1\r\n")).toBe("");
  await app.close();
});
