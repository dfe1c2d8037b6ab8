import type { Config } from "../config/schema.ts";

/** Asks the page of the running agent. Undefined if none answers. */
export async function requestPage(
  { address }: Config["page"],
  path: string,
  init: RequestInit,
): Promise<Response | undefined> {
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  // The address for all interfaces is none to connect to.
  const reachable = host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host;
  return await fetch(`http://${reachable}:${address.port}${path}`, init).catch(() => undefined);
}
