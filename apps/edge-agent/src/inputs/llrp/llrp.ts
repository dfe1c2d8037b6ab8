import { z } from "zod";
import type { Log } from "../../log.ts";
import { keepConnected } from "../connection/keep-connected.ts";
import { openSocket, tlsOptions, tlsSettings } from "../connection/open-socket.ts";
import type { Input, Sink } from "../input.ts";
import { runSession } from "./session.ts";

/** A reader that speaks LLRP 1.0.1 or 1.1. The agent connects to it and configures its inventory. */
export const schema = z.strictObject({
  type: z.literal("llrp"),
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).default(5084),
  tls: tlsSettings.optional(),
  /** Empty: all. */
  antennas: z.array(z.int().min(1).max(65_535)).max(64).default([]),
  /** The reader sends a report for each so many tags. */
  report_tags: z.int().min(1).max(1_000).default(1),
  keepalive_seconds: z.int().min(1).max(300).default(10),
});

export function create(config: z.infer<typeof schema>, sink: Sink, log: Log): Input {
  const { host, port } = config;
  const tls = config.tls && tlsOptions(config.tls);
  return keepConnected(async (connection) => {
    const socket = await openSocket({ host, port, tls }, connection.signal);
    await runSession(socket, config, sink, connection);
  }, log);
}
