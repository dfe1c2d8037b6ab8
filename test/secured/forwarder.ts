import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Forwards connections to a server, byte by byte. `cut` ends all that are open, so that a client has to make new ones. */
export async function startForwarder(
  host: string,
): Promise<{ host: string; cut(): void; stop(): Promise<void> }> {
  const [name, port] = host.split(":");
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const target = connect(Number(port), name);
    socket.pipe(target).pipe(socket);
    for (const one of [socket, target]) {
      open.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        socket.destroy();
        target.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async stop() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
