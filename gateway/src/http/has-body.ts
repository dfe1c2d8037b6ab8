import type { IncomingMessage } from "node:http";

/** Whether a request has a body, which may be empty. */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}
