import { normalAddress } from "@asset-register/runtime";
import type { FastifyRequest } from "fastify";

/** All clients without a valid address count as one. */
const UNKNOWN_ADDRESS = "unknown";

/** A request, of which only the address of its client matters. Fastify has none when the connection was reset. */
export type ClientOfRequest = { ip: FastifyRequest["ip"] | undefined };

/**
 * The address of the client, for limits by address and address lists, in its normal form (`normalAddress`). It is
 * "unknown" when a proxy forwards a text that is not an address, and when the client has reset its connection:
 * Fastify has no address then.
 */
export function clientAddressOf({ ip }: ClientOfRequest): string {
  return normalAddress(ip ?? "") ?? UNKNOWN_ADDRESS;
}
