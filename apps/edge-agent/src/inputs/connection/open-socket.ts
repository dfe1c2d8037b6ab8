import { readFileSync } from "node:fs";
import { connect as connectTcp, isIP, type Socket } from "node:net";
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

/** Where an input connects to; with TLS if there are options for it. */
export type Peer = { host: string; port: number; tls: TlsOptions | undefined };

/** The peer of a URL with a host. `ports`: those of protocols without and with TLS, if the URL has none. */
export function peerOfUrl(
  url: string,
  tls: z.infer<typeof tlsSettings>,
  ports: { plain: number; secure: number },
): Peer {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol.endsWith("s:");
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? ports.secure : ports.plain) : Number(port),
    tls: isSecure ? tlsOptions(tls) : undefined,
  };
}

const CONNECT_MS = 10_000;

/**
 * Opens a TCP connection.
 * @throws Error that says why it can't be opened
 */
export function openSocket(peer: Peer, signal: AbortSignal): Promise<Socket> {
  const { host, port, tls } = peer;
  const event = tls === undefined ? "connect" : "secureConnect";
  // Only names may be sent to a server, no addresses. The certificate is checked against either.
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = tls === undefined ? connectTcp({ host, port }) : connectTls({ host, port, ...name, ...tls });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      socket.destroy(new Error(`${host}:${port} did not answer in time.`));
    };
    const fail = (error: Error): void => reject(explain(error, peer));
    limit.addEventListener("abort", giveUp, { once: true });
    socket.once("error", fail);
    socket.once("close", () => limit.removeEventListener("abort", giveUp));
    socket.once(event, () => {
      limit.removeEventListener("abort", giveUp);
      socket.off("error", fail);
      // Who reads the socket gets its errors too. Without a listener, an error after that would end the process.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}

/** Tries to connect, and ends the connection at once. Returns why that is not possible, or undefined. */
export async function connectProblem(peer: Peer): Promise<string | undefined> {
  try {
    const socket = await openSocket(peer, new AbortController().signal);
    socket.destroy();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Codes of OpenSSL for a certificate whose authority is not known. */
const UNKNOWN_AUTHORITY = [
  "CERT_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/** Says what has to be mended, where the text of OpenSSL does not. */
function explain(error: Error, { host, port, tls }: Peer): Error {
  const code = "code" in error ? String(error.code) : "";
  const certificate = `The certificate of ${host}:${port}`;
  const say = (text: string): Error => new Error(`${text} (${code})`, { cause: error });
  if (UNKNOWN_AUTHORITY.includes(code))
    return tls?.ca === undefined
      ? say(`${certificate} is from no public authority. Give its authority in tls.ca`)
      : say(`${certificate} is not from the authority in tls.ca`);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return say(`${certificate} is for another name than ${host}`);
  if (tls !== undefined && /^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ECONNRESET)$/.test(code))
    return say(`${host}:${port} does not speak TLS`);
  // The error of a name with several addresses has no text.
  return error.message === "" ? say(`${host}:${port} can't be reached`) : error;
}
