import { BlockList, isIP } from "node:net";

/** The addresses that a key may be used from. */
export type AddressList = { admits(address: string): boolean };

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 4 ? "ipv4" : "ipv6");

/**
 * Addresses and CIDR blocks of either family, checked by identity; none for an
 * empty list, which admits all. An IPv4 address is the same written as IPv6
 * (`::ffff:192.0.2.1`), as sockets that take both families have it. What is no
 * address, as a proxy may forward, is not admitted.
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
