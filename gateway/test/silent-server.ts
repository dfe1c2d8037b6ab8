import { createLogger } from "@asset-register/runtime";
import { createHttpServer } from "../src/server.ts";

/** A server without routes. */
export const silentServer = () =>
  createHttpServer({
    logger: createLogger({ service: "test", level: "silent" }),
    maxConnections: 100,
    maxConnectionsPerNetwork: 100,
    requestTimeoutMs: 60_000,
    uploadBytesPerSecond: 262_144,
    answerTimeoutMs: 30_000,
    answerBytesPerSecond: 65_536,
  });
