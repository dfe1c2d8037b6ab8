import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  headers: IncomingHttpHeaders;
  raw: string;
  body: { id: string; type: string; data: unknown };
};

/** Starts a customer's webhook receiver: it records each request and responds with 204. */
export async function startReceiver(): Promise<{
  url: string;
  received: Received[];
  stop(): Promise<void>;
}> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString("utf8");
    received.push({ headers: request.headers, raw, body: JSON.parse(raw) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
