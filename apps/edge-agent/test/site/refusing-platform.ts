import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** The platform behind something that refuses all events as long as `answers` says so. */
export async function startRefusingPlatform(platformUrl: string) {
  let answers: "as the platform" | "refused" | "refused, but taken" = "as the platform";

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = new Headers(
      Object.entries(request.headers).filter(([name]) => name.startsWith("x-")) as [string, string][],
    );
    headers.set("content-type", "application/json");
    const forward = () => fetch(`${platformUrl}${request.url}`, { method: "POST", headers, body });
    const isHeartbeat = body.toString() === '{"events":[]}';
    if (answers === "as the platform" || isHeartbeat) {
      const answer = await forward();
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
      return;
    }
    if (answers === "refused, but taken") await forward();
    response.writeHead(422, { "content-type": "application/json" });
    response.end('{"code":"VALIDATION_FAILED"}');
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    answer(now: typeof answers): void {
      answers = now;
    },
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
