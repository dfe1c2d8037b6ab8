import { normalAddress } from "@asset-register/runtime";
import type { FastifyRequest } from "fastify";

/** All clients without a valid address count as one. */
const UNKNOWN_ADDRESS = "unknown";

/**
 * The address of the client, for limits by address and address lists, in its normal form (`normalAddress`). It is
 * "unknown" when a proxy forwards a text that is not an address, and when the client has reset its connection:
 * Fastify has no address then.
 */
export function clientAddressOf({ ip }: { ip: FastifyRequest["ip"] | undefined }): string {
  return normalAddress(ip ?? "") ?? UNKNOWN_ADDRESS;
}
