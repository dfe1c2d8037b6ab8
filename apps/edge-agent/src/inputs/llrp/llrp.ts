import { z } from "zod";
import type { Log } from "../../log.ts";
import { keepConnected } from "../connection/keep-connected.ts";
import { openSocket, type Peer, tlsOptions, tlsSettings } from "../connection/open-socket.ts";
import type { Input, Sink } from "../input.ts";
import { runSession } from "./session.ts";

/** A reader that speaks LLRP 1.0.1 or 1.1. The agent connects to it and configures its inventory. */
export const schema = z.strictObject({
  type: z.literal("llrp"),
  host: z.string().min(1),
  /** Default: 5084, or 5085 with TLS. */
  port: z.int().min(1).max(65_535).optional(),
  tls: tlsSettings.optional(),
  /** Empty: all. */
  antennas: z.array(z.int().min(1).max(65_535)).max(64).default([]),
  /** The reader sends a report for each so many tags. */
  report_tags: z.int().min(1).max(1_000).default(1),
  keepalive_seconds: z.int().min(1).max(300).default(10),
});

export const peerOf = ({ host, port, tls }: z.infer<typeof schema>): Peer => ({
  host,
  port: port ?? (tls === undefined ? 5084 : 5085),
  tls: tls && tlsOptions(tls),
});

export function create(config: z.infer<typeof schema>, sink: Sink, log: Log): Input {
  const peer = peerOf(config);
  return keepConnected(async (connection) => {
    const socket = await openSocket(peer, connection.signal);
    await runSession(socket, config, sink, connection);
  }, log);
}
