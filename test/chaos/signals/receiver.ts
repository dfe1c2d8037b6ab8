import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type SlowReceiver = { url: string; setDelay(ms: number): void; stop(): Promise<void> };

/** A receiver of webhooks that takes them at once, or after a delay. */
export async function startSlowReceiver(): Promise<SlowReceiver> {
  let delayMs = 0;
  const server = createServer(async (request, response) => {
    request.resume();
    await sleep(delayMs, undefined, { ref: false });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    setDelay: (ms) => {
      delayMs = ms;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
