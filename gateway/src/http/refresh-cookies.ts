import { forbidden, invalid, unauthenticated } from "@asset-register/runtime";
import { parseCookie, stringifySetCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

type Tokens = { refresh_token?: string; refresh_expires_in: number };

/**
 * Keeps refresh tokens of browsers in a cookie that scripts can't read (sign-in.md, "In a browser"). It works on the
 * origin of PUBLIC_URL only: https, or localhost in development.
 */
export function createRefreshCookies({ PUBLIC_URL, NODE_ENV }: Pick<Config, "PUBLIC_URL" | "NODE_ENV">) {
  const { origin, protocol, hostname, port } = new URL(PUBLIC_URL);
  const isSecure = protocol === "https:";
  const isUsable = isSecure || (hostname === "localhost" && NODE_ENV !== "production");
  // Cookies of one host are sent to all its ports: two platforms on one machine need two names.
  const name = isSecure ? "__Host-rt" : `rt_${port || "80"}`;
  const attributes = { name, httpOnly: true, secure: isSecure, sameSite: "strict", path: "/" } as const;

  return {
    /** @throws AppError VALIDATION_FAILED if the address of the platform allows no such cookie */
    requireUsable(): void {
      if (!isUsable)
        throw invalid([
          { field: "cookie", message: "needs a platform whose PUBLIC_URL begins with https://" },
        ]);
    },
    /**
     * The refresh token in the cookie of a request. A page of another origin can't send it.
     *
     * @throws AppError FORBIDDEN without X-Requested-With, or with another Origin; UNAUTHENTICATED without the cookie
     */
    read({ headers }: FastifyRequest): string {
      if (headers.origin !== origin || headers["x-requested-with"] === undefined)
        throw forbidden("The cookie needs X-Requested-With, and the Origin of this platform.");
      const token = parseCookie(headers.cookie ?? "")[name];
      if (!token) throw unauthenticated("The request has no cookie with a refresh token.");
      return token;
    },
    /** Moves the refresh token of an answer into the cookie. */
    keep<S extends Tokens>(reply: FastifyReply, { refresh_token, ...rest }: S): Omit<S, "refresh_token"> {
      const value = refresh_token ?? "";
      const maxAge = rest.refresh_expires_in;
      reply.header("set-cookie", stringifySetCookie({ ...attributes, value, maxAge }));
      return rest;
    },
    /** Removes the cookie, if the request has one. */
    clear({ headers }: FastifyRequest, reply: FastifyReply): void {
      if (parseCookie(headers.cookie ?? "")[name] === undefined) return;
      reply.header("set-cookie", stringifySetCookie({ ...attributes, value: "", maxAge: 0 }));
    },
  };
}
