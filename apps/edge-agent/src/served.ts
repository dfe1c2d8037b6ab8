import { once } from "node:events";
import type { Server } from "node:net";
import type { Address } from "./config/units.ts";

/** Starts and stops a server of HTTP or TCP. `endConnections` ends those that a stop must not wait for. */
export function serve(server: Server, { host, port }: Address, endConnections?: () => void) {
  return {
    /** Resolves when it listens. Rejects if it can't, for example because the port is in use. */
    async start(): Promise<void> {
      server.listen(port, host);
      await once(server, "listening");
    },
    /** Resolves when all connections have ended. */
    async stop(): Promise<void> {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      endConnections?.();
      await closed;
    },
    /** The port, after the start. */
    port(): number {
      const bound = server.address();
      return typeof bound === "object" && bound !== null ? bound.port : 0;
    },
  };
}
