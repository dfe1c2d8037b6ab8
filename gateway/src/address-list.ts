import { BlockList } from "node:net";
import { type AddressBlock, normalAddress, parseAddressBlock } from "@asset-register/runtime";

/** A list of addresses and CIDR blocks. */
export type AddressList = { admits(address: string): boolean };

/**
 * A list of addresses and CIDR blocks, IPv4 or IPv6. Undefined for an empty list, which admits all addresses.
 *
 * - An IPv4 address equals its IPv6 form `::ffff:192.0.2.1`, which sockets for both families report.
 * - A text that is not an address, which a proxy may forward, is not admitted.
 * - A text that is not a block admits nothing.
 */
export function addressList(blocks: readonly string[]): AddressList | undefined {
  if (blocks.length === 0) return undefined;
  const parsed = blocks.map(parseAddressBlock).filter((block) => block !== undefined);
  // Two lists: in a common one a short IPv6 prefix, such as ::/0, would admit every IPv4 address.
  const ipv4 = blockList(parsed, "ipv4");
  const ipv6 = blockList(parsed, "ipv6");
  return {
    admits(text) {
      const address = normalAddress(text);
      if (address === undefined) return false;
      return address.includes(":") ? ipv6.check(address, "ipv6") : ipv4.check(address, "ipv4");
    },
  };
}

function blockList(blocks: readonly AddressBlock[], family: AddressBlock["family"]): BlockList {
  const list = new BlockList();
  for (const block of blocks) if (block.family === family) list.addSubnet(block.address, block.bits, family);
  return list;
}
