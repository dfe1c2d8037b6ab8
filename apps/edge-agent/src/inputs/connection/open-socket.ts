import { readFileSync } from "node:fs";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { z } from "zod";

/** How the certificate of a reader is checked. Readers usually have one of their own making. */
export const tlsSettings = z.strictObject({
  /** A PEM file with the reader's certificate, or that of who signed it. */
  ca: z.string().optional(),
  /** False accepts any certificate: the connection is encrypted, but may be with anyone. */
  verify: z.boolean().default(true),
});

/** Options of node:tls. The file is read when the agent starts, so that a missing one is found then. */
export const tlsOptions = ({ ca, verify }: z.infer<typeof tlsSettings>) => ({
  ca: ca === undefined ? undefined : readFileSync(ca),
  rejectUnauthorized: verify,
});

export type TlsOptions = ReturnType<typeof tlsOptions>;

const CONNECT_MS = 10_000;

/**
 * Opens a TCP connection, with TLS if there are options for it.
 * @throws Error if it can't be opened
 */
export function openSocket(
  { host, port, tls }: { host: string; port: number; tls: TlsOptions | undefined },
  signal: AbortSignal,
): Promise<Socket> {
  const event = tls === undefined ? "connect" : "secureConnect";
  const socket =
    tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, servername: host, ...tls });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      socket.destroy(new Error(`${host}:${port} did not answer in time.`));
    };
    limit.addEventListener("abort", giveUp, { once: true });
    socket.once("error", reject);
    socket.once("close", () => limit.removeEventListener("abort", giveUp));
    socket.once(event, () => {
      limit.removeEventListener("abort", giveUp);
      socket.off("error", reject);
      // Who reads the socket gets its errors too. Without a listener, an error after that would end the process.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}
