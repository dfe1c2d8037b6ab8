import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The receiver of the benchmarks of webhooks: it answers 204. GET returns how many messages came since the last GET of
 * /reset, and how long each took since its `timestamp`, in milliseconds.
 */
let count = 0;
let latencies: number[] = [];

const server = createServer(async (request, response) => {
  if (request.method === "GET") {
    const answer = JSON.stringify({ count, latencies: request.url === "/reset" ? latencies : [] });
    if (request.url === "/reset") [count, latencies] = [0, []];
    response.setHeader("content-type", "application/json").end(answer);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const sentAt = /"timestamp":"([^"]+)"/.exec(text)?.[1];
  count += 1;
  if (sentAt !== undefined) latencies.push(Date.now() - Date.parse(sentAt));
  response.writeHead(204).end();
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
