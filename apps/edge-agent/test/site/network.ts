import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The network between a site and the platform. While it is cut, connections end and new ones get no answer. */
export async function startNetwork(platformUrl: string) {
  const { hostname, port } = new URL(platformUrl);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {}).on("close", () => open.delete(client));
    if (isCut) return;
    const target = connect(Number(port), hostname);
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => target.destroy());
    client.pipe(target).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const end = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    cut(): void {
      isCut = true;
      end();
    },
    restore(): void {
      isCut = false;
      end();
    },
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      end();
      await closed;
    },
  };
}
