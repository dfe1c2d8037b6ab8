import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

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

/** Verifies both signatures as a customer would: by the published rule, and with the published library. */
export function verifies(got: Received, secret: string): boolean {
  return verifiesWith(got, { current: secret });
}

/** The same for the secrets of an overlap: both sign, and no other. */
export function verifiesWith(
  { headers, text }: Received,
  { current, previous }: { current: string; previous?: string },
): boolean {
  const whole = (secret: string | undefined) =>
    secret && `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
  const standard = String(headers["webhook-signature"]).split(" ");
  const secrets = previous === undefined ? [current] : [current, previous];
  return (
    headers["x-service-signature"] === whole(current) &&
    headers["x-service-signature-previous"] === whole(previous) &&
    standard.length === secrets.length &&
    secrets.every((secret) => verifiesStandard(headers, text, secret))
  );
}

function verifiesStandard(headers: IncomingHttpHeaders, text: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
