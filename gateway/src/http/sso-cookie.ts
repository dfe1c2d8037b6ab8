import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** From the start of a sign-in to its exchange: 10 minutes at the provider, and 1 to come back. */
const MAX_AGE_SECONDS = 660;

/**
 * The cookie that binds a sign-in with a provider to the browser that has begun it. It is Lax: the provider sends the
 * browser back from another site.
 */
export function createSsoCookie({ PUBLIC_URL, NODE_ENV }: Pick<Config, "PUBLIC_URL" | "NODE_ENV">) {
  const { protocol, hostname, port } = new URL(PUBLIC_URL);
  const isInsecure = protocol === "http:" && hostname === "localhost" && NODE_ENV !== "production";
  // Cookies of one host are sent to all its ports: two platforms on one machine need two names.
  const name = isInsecure ? `sso_${port || "80"}` : "__Host-sso";
  const attributes = { name, httpOnly: true, secure: !isInsecure, sameSite: "lax", path: "/" } as const;
  return {
    keep(reply: FastifyReply, value: string): void {
      reply.header("set-cookie", stringifySetCookie({ ...attributes, value, maxAge: MAX_AGE_SECONDS }));
    },
    /** Empty without the cookie. */
    read: ({ headers }: FastifyRequest): string => parseCookie(headers.cookie ?? "")[name] ?? "",
    clear(reply: FastifyReply): void {
      reply.header("set-cookie", stringifySetCookie({ ...attributes, value: "", maxAge: 0 }));
    },
  };
}
