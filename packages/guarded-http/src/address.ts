import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A network in CIDR form. */
export type Network = { text: string; contains(address: string): boolean };

type Parsed = ipaddr.IPv4 | ipaddr.IPv6;

// IANA special-purpose registries, and 168.63.129.16: Azure's host agent, a public number that answers only inside.
const DENIED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
].map((text) => ipaddr.IPv4.parseCIDR(text));

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

// Inside 2000::/3: Teredo and other protocol assignments, documentation, 6to4 (wraps any IPv4), AS112, documentation.
const DENIED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"].map(
  (text) => ipaddr.IPv6.parseCIDR(text),
);

/**
 * Whether `address` is on the public Internet. It has to be an IPv4 address as four decimal numbers or an IPv6 address.
 * Anything else, such as an address with a zone, is not public.
 */
export function isPublic(address: string): boolean {
  const parsed = parseStrictly(address);
  if (parsed === undefined) return false;
  if (parsed instanceof ipaddr.IPv4) return !DENIED_IPV4.some((range) => parsed.match(range));
  return (
    parsed.match(GLOBAL_UNICAST) && !DENIED_IPV6.some((range) => parsed.match(range)) && !isIsatap(parsed)
  );
}

/** Reads `10.0.0.0/8` or `fc00::/7`. Undefined for a text that is no such network. */
export function parseNetwork(text: string): Network | undefined {
  const [address, bits, ...rest] = text.split("/");
  if (address === undefined || bits === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits))
    return undefined;
  const base = parseStrictly(address);
  if (base === undefined || Number(bits) > (base instanceof ipaddr.IPv4 ? 32 : 128)) return undefined;
  return {
    text,
    contains: (candidate) => {
      const parsed = parseStrictly(candidate);
      if (parsed instanceof ipaddr.IPv4 && base instanceof ipaddr.IPv4)
        return parsed.match(base, Number(bits));
      if (parsed instanceof ipaddr.IPv6 && base instanceof ipaddr.IPv6)
        return parsed.match(base, Number(bits));
      return false;
    },
  };
}

// ipaddr.js alone would accept 0x7f.1 and 2130706433 as addresses.
function parseStrictly(address: string): Parsed | undefined {
  if (address.includes("%") || isIP(address) === 0) return undefined;
  return ipaddr.parse(address);
}

// RFC 5214: the interface id 0000:5efe or 0200:5efe (any u and g bits) carries an IPv4 address.
function isIsatap(address: ipaddr.IPv6): boolean {
  const [high = 0, low = 0] = address.parts.slice(4, 6);
  return (high & 0xfcff) === 0 && low === 0x5efe;
}
