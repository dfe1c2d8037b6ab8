import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  headers: IncomingHttpHeaders;
  text: string;
  body: { id: string; type: string; data: Record<string, unknown>; [name: string]: unknown };
};

export type Answering = (response: ServerResponse, received: Received, nth: number) => void;

const ok: Answering = (response) => void response.writeHead(204).end();

/** A customer's server. It keeps what it gets and answers as `answer` says. */
export async function startReceiver(answer: Answering = ok) {
  const received: Received[] = [];
  const holding = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    holding.now += 1;
    holding.most = Math.max(holding.most, holding.now);
    response.on("close", () => {
      holding.now -= 1;
    });
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const one = { headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      answer(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    holding,
    ids: () => received.map(({ body }) => body.id),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Verifies both signatures as a customer would, by the published rules alone. */
export function verifies({ headers, text }: Received, secret: string): boolean {
  const whole = createHmac("sha256", secret).update(text).digest("hex");
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  const standard = createHmac("sha256", key).update(signed).digest("base64");
  return (
    headers["x-service-signature"] === `sha256=${whole}` && headers["webhook-signature"] === `v1,${standard}`
  );
}
