import type { FastifyReply } from "fastify";

/**
 * Runs a function when the response has ended or its client has disconnected: at once, if that has happened. A client
 * may leave while its credential is being verified, and the event is not repeated.
 */
export function whenClosed({ raw }: FastifyReply, run: () => void): void {
  if (raw.closed) run();
  else raw.once("close", run);
}
