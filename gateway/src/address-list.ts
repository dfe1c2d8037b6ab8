import { BlockList, isIP } from "node:net";

/** The addresses from which an API key may be used. */
export type AddressList = { admits(address: string): boolean };

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/**
 * A list of addresses and CIDR blocks, IPv4 or IPv6, which identity has validated. Undefined for an empty list, which
 * admits all addresses.
 *
 * - An IPv4 address equals its IPv6 form `::ffff:192.0.2.1`, which sockets for both families report.
 * - A text that is not an address, which a proxy may forward, is not admitted.
 */
export function addressList(blocks: readonly string[]): AddressList | undefined {
  if (blocks.length === 0) return undefined;
  const list = new BlockList();
  for (const block of blocks) {
    const [address = "", prefix] = block.split("/");
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return { admits: (address) => isIP(address) !== 0 && list.check(address, family(address)) };
}
