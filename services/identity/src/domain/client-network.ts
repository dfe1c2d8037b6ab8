import ipaddr from "ipaddr.js";

const NETWORK_PARTS = 4;

/**
 * Who counts as one client: an IPv4 address, however it is written, or the /64
 * of an IPv6 address, since who has one address of it has them all. Text that
 * is no address stands for itself.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return new ipaddr.IPv6([...parsed.parts.slice(0, NETWORK_PARTS), 0, 0, 0, 0]).toString();
}
