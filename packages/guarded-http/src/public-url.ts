import { isIPv4 } from "node:net";
import { limits } from "@asset-register/proto/limits";
import { isPublic, type Network } from "./address.ts";

/** The host that a request goes to, from a URL that is well formed. */
export type Target = {
  href: string;
  /** Lower case, punycode; a literal IPv6 address without brackets. */
  hostname: string;
  /** The host is an address, so nothing has to be resolved. */
  literal: boolean;
  /** Plain http, another port or a literal address: only the allowed networks may be connected to. */
  onlyAllowed: boolean;
};

export type ParsedUrl = { ok: true; target: Target } | { ok: false; reason: string };

const MAX_HOSTNAME = 253;
const PORTS = new Set(["", "443", "8443"]);

// Names that are never a host of the public Internet. Names of clusters and service meshes are here because a search
// domain of the system can complete "register.default.svc".
const INTERNAL_SUFFIXES = [
  // Reserved: RFC 6761, 6762, 7686, 8375 (home.arpa), 9476, and ICANN's list of collisions.
  ...["alt", "arpa", "corp", "home", "internal", "lan", "local", "localhost", "mail", "onion", "test"],
  // In common use without a reservation.
  ...["intranet", "localdomain", "localnet", "private"],
  // Kubernetes, Consul, Nomad, Docker and meshes.
  ...["cluster", "consul", "docker", "kubernetes", "mesh", "nomad", "pod", "service", "svc", "swarm"],
];

/**
 * Reads the URL of a host on the public Internet that anybody may name: https to a name on port 443 or 8443, without user info, fragment, backslash, space or
 * control characters. Within `allowedNetworks` (development) http, any port and a literal address in its plain notation
 * are accepted too. Whether a name is in these networks is known only after it is resolved: then `target.onlyAllowed`
 * must be checked.
 */
export function parsePublicUrl(text: string, allowedNetworks: readonly Network[]): ParsedUrl {
  if (text.length > limits.url) return refuse(`must have at most ${limits.url} characters`);
  // The URL parser would drop or rewrite these silently.
  if ([...text].some(isUnprintable)) return refuse("must not contain spaces or control characters");
  if (text.includes("\\")) return refuse("must not contain a backslash");
  if (text.includes("#")) return refuse("must not have a fragment");
  const parts = /^(https?):\/\/([^/?]+)/i.exec(text);
  const authority = parts?.[2];
  if (authority === undefined || !URL.canParse(text)) return refuse("must be an absolute https URL");
  if (authority.includes("@")) return refuse("must not have user info");
  const url = new URL(text);
  if (url.href.length > limits.url) return refuse(`must have at most ${limits.url} characters`);
  const usual = url.protocol === "https:" && PORTS.has(url.port);
  if (!usual && allowedNetworks.length === 0) return refuse("must be https on port 443 or 8443");
  return isLiteral(url.hostname)
    ? literalTarget(url, authority, allowedNetworks)
    : namedTarget(url, { onlyAllowed: !usual });
}

/** Whether a connection to `address` is allowed for `target`. */
export function addressAllowed(
  address: string,
  target: Pick<Target, "onlyAllowed">,
  allowedNetworks: readonly Network[],
): boolean {
  if (allowedNetworks.some((network) => network.contains(address))) return true;
  return !target.onlyAllowed && isPublic(address);
}

function literalTarget(url: URL, authority: string, allowedNetworks: readonly Network[]): ParsedUrl {
  const hostname = unbracket(url.hostname);
  // The parser turns octal, hex, integer, short, percent-encoded and full-width forms into the same address, but they
  // do not look like it.
  const written = authority.replace(/:\d*$/, "");
  const plain = url.hostname.startsWith("[") ? /^\[[0-9a-f:.]+\]$/i.test(written) : written === hostname;
  if (!plain || !allowedNetworks.some((network) => network.contains(hostname))) {
    return refuse("must name a host, not an address");
  }
  return { ok: true, target: { href: url.href, hostname, literal: true, onlyAllowed: true } };
}

function namedTarget(url: URL, { onlyAllowed }: { onlyAllowed: boolean }): ParsedUrl {
  const { hostname } = url;
  const labels = hostname.split(".");
  if (labels.length < 2) return refuse("must name a host with its domain");
  if (hostname.length > MAX_HOSTNAME || labels.some((label) => label === "" || label.length > 63)) {
    return refuse("must name a host by a well-formed name");
  }
  if (INTERNAL_SUFFIXES.some((suffix) => labels.at(-1) === suffix)) {
    return refuse("must not name an internal host");
  }
  return { ok: true, target: { href: url.href, hostname, literal: false, onlyAllowed } };
}

function isLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || isIPv4(hostname);
}

function unbracket(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function isUnprintable(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Z}]/u.test(character);
}

function refuse(reason: string): ParsedUrl {
  return { ok: false, reason };
}
