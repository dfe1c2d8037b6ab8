import { hash, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** How a reader shows who it is: a bearer token, or a user with a password (Basic). */
export const httpAuth = z.union([
  z.literal("none"),
  z.strictObject({ token: z.string().min(8) }),
  z.strictObject({ user: z.string().min(1), password: z.string().min(8) }),
]);

export type HttpAuth = z.output<typeof httpAuth>;

/** Returns a check whether the header Authorization is the expected one. */
export function authorisation(auth: HttpAuth): (header: string | undefined) => boolean {
  if (auth === "none") return () => true;
  const expected = digest(
    "token" in auth
      ? `Bearer ${auth.token}`
      : `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString("base64")}`,
  );
  return (header = "") => timingSafeEqual(expected, digest(header));
}

/** Digests have the same length, so the time of the comparison says nothing about the secret. */
const digest = (text: string): Buffer => hash("sha256", text, "buffer");
