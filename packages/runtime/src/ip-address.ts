import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Forms with a port, as some proxies write them: `192.0.2.7:4711`, `[2001:db8::1]:443`; also `[2001:db8::1]`. */
const WITH_PORT = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/;

/** The IPv6 addresses that stand for IPv4 addresses: ::ffff:0:0/96. */
const MAPPED_BITS = 96;

/**
 * An address in the form in which it can be compared: a port and a zone are cut off, an IPv4-mapped IPv6 address is
 * IPv4, other IPv6 addresses are in the form of RFC 5952. Undefined for a text that is no address.
 */
export function normalAddress(text: string): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  return parse((ipv4 ?? ipv6 ?? text).replace(/%.*$/, ""))?.toString();
}

/** Addresses with the same first `bits`. */
export type AddressBlock = { address: string; family: "ipv4" | "ipv6"; bits: number };

/**
 * Reads an address or a CIDR block. A block of IPv4-mapped addresses is a block of IPv4. Undefined for another text,
 * and for a block with a mapped address and a prefix below 96: it would hold all IPv4 addresses and more.
 */
export function parseAddressBlock(text: string): AddressBlock | undefined {
  const [, given = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parse(given);
  if (address === undefined) return undefined;
  const isMapped = address.kind() === "ipv4" && isIP(given) === 6;
  const maxBits = address.kind() === "ipv4" ? 32 : 128;
  const bits = prefix === undefined ? maxBits : Number(prefix) - (isMapped ? MAPPED_BITS : 0);
  if (bits < 0 || bits > maxBits) return undefined;
  return { address: address.toString(), family: address.kind(), bits };
}

/** A network whose requests are counted together. `clients`: how many clients' limits it may use. */
export type ClientNetwork = { network: string; clients: number };

/**
 * The networks of an address, the smallest first. One client usually has all addresses of an IPv6 /64, and can often
 * get each /64 of a /48: a customer of a provider has a /48 at most. A text that is no address is its own network.
 */
export function clientNetworks(address: string): ClientNetwork[] {
  const normal = normalAddress(address);
  const parsed = normal === undefined ? undefined : ipaddr.parse(normal);
  if (!(parsed instanceof ipaddr.IPv6)) return [{ network: normal ?? address, clients: 1 }];
  const network = (bits: number): string =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${normal}/${bits}`)}/${bits}`;
  return [
    { network: network(64), clients: 1 },
    { network: network(48), clients: 10 },
  ];
}

/**
 * ipaddr.js alone would accept 0x7f.1 and 2130706433 as addresses, and take ::192.0.2.1 for a mapped one. URL writes
 * IPv6 without dots.
 */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  return ipaddr.process(family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1));
}
