import ipaddr from "ipaddr.js";

const NETWORK_PARTS = 4;

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one client usually
 * has all addresses of a /64. A text that is no address is returned as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, NETWORK_PARTS), 0, 0, 0, 0]).toString();
}
