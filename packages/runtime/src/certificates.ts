import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContext } from "node:tls";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** PEM texts: authorities in place of those of the system, an own certificate with its chain, and its key. */
export type Tls = { ca?: string | undefined; cert?: string | undefined; key?: string | undefined };

/** The certificates of one kind of connection. */
export type Certificates = {
  current(): Tls;
  /** For clients: each new connection uses the certificates that are current then. */
  context: SecureContext;
  /** For servers, which have to be told. */
  onChange(listener: (tls: Tls) => void): void;
};

/** The certificates of a process. */
export type CertificateWatch = {
  /**
   * Reads certificates. Each part of `source` is a PEM text or the absolute path of a PEM file.
   *
   * @param name the connections that use them, in metrics and logs
   * @throws Error if a file is missing, a text is no certificate, or the key belongs to another certificate
   */
  add(name: string, source: Tls): Certificates;
  /** Reads the files now. `start` does so at intervals. */
  check(): void;
  start(): void;
  stop(): void;
};

type Watched = {
  name: string;
  source: Tls;
  tls: Tls;
  context: SecureContext;
  listeners: ((tls: Tls) => void)[];
};

/** Kubernetes needs about a minute to replace the files of a Secret, so a shorter interval would gain nothing. */
const INTERVAL_MS = 10_000;

/**
 * Creates the watch of a process over its certificates, so that a renewed one is used without a restart.
 *
 * - Contents are compared, not times: Kubernetes replaces a symbolic link, which events of the file system miss.
 * - Files that do not belong together, as during a replacement, are read again later. Those before stay in use.
 * - Connections that are open stay open. New ones use the new certificates.
 */
export function createCertificateWatch({
  logger,
  metrics,
}: {
  logger: Logger;
  metrics?: Metrics | undefined;
}): CertificateWatch {
  const all: Watched[] = [];
  const failing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  metrics?.gauge({
    name: "tls_certificate_not_after_timestamp_seconds",
    help: "End of validity, in Unix time. Of a chain the earliest, of several authorities the latest",
    labelNames: ["name", "kind"],
    collect() {
      for (const { name, tls } of all) {
        if (tls.cert !== undefined)
          this.set({ name, kind: "certificate" }, Math.min(...endsOf(tls.cert)) / 1000);
        // One authority replaces another: the one before may expire as soon as nobody needs it.
        if (tls.ca !== undefined) this.set({ name, kind: "authority" }, Math.max(...endsOf(tls.ca)) / 1000);
      }
    },
  });

  function checkOne(watched: Watched): void {
    const { name, source } = watched;
    try {
      const tls = read(source);
      if (isSame(tls, watched.tls)) return void failing.delete(name);
      watched.context = contextOf(tls);
      watched.tls = tls;
      failing.delete(name);
      for (const listener of watched.listeners) listener(tls);
      logger.info({ name }, "new certificates are in use");
    } catch (error) {
      // Each interval fails with the same error, so only the first is logged.
      if (!failing.has(name))
        logger.error({ name, err: error }, "new certificates are refused; those before stay in use");
      failing.add(name);
    }
  }

  function check(): void {
    for (const watched of all) if (isFromFiles(watched.source)) checkOne(watched);
  }

  return {
    add: (name, source) => {
      const tls = read(source);
      const watched: Watched = { name, source, tls, context: contextOf(tls), listeners: [] };
      all.push(watched);
      return {
        current: () => watched.tls,
        context: new CurrentContext(() => watched.context),
        onChange: (listener) => void watched.listeners.push(listener),
      };
    },
    check,
    start: () => {
      timer ??= setInterval(check, INTERVAL_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** `tls.connect` reads `context` for each connection. A class, because mongoose copies the fields of plain objects. */
class CurrentContext implements SecureContext {
  readonly #current: () => SecureContext;

  constructor(current: () => SecureContext) {
    this.#current = current;
  }

  get context(): SecureContext["context"] {
    return this.#current().context;
  }
}

const isPath = (part: string | undefined): part is string => part?.startsWith("/") ?? false;

const isFromFiles = ({ ca, cert, key }: Tls): boolean => [ca, cert, key].some(isPath);

function read({ ca, cert, key }: Tls): Tls {
  const text = (part: string | undefined) => (isPath(part) ? readFileSync(part, "utf8") : part);
  return { ca: text(ca), cert: text(cert), key: text(key) };
}

const isSame = (one: Tls, other: Tls): boolean =>
  one.ca === other.ca && one.cert === other.cert && one.key === other.key;

/** Node accepts any text as an authority, so `endsOf` checks it. */
function contextOf({ ca, cert, key }: Tls): SecureContext {
  for (const chain of [ca, cert]) if (chain !== undefined) endsOf(chain);
  return createSecureContext({ ca, cert, key });
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The ends of validity of the certificates in a PEM text, in epoch milliseconds. */
function endsOf(pem: string): number[] {
  const ends = (pem.match(CERTIFICATE) ?? []).map((one) => new X509Certificate(one).validToDate.getTime());
  if (ends.length === 0) throw new Error("A PEM text has no certificate.");
  return ends;
}
