import type { Keyring, SealedPlace } from "@asset-register/runtime";
import { z } from "zod";
import type { StartedSso } from "../../domain/sso/identity.ts";

const place = (connectionId: string): SealedPlace => ({
  service: "identity",
  collection: "sso_start",
  recordId: connectionId,
});

const sealedSchema = z.tuple([z.string(), z.base64url(), z.base64url()]);
const startedSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  fresh: z.boolean(),
  endsAt: z.number(),
});

/** The state of a started sign-in, sealed for the cookie of the browser and bound to the connection. */
export function sealState(keyring: Keyring, connectionId: string, started: StartedSso): string {
  const { keyId, nonce, data } = keyring.encrypt(JSON.stringify(started), place(connectionId));
  return [Buffer.from(keyId), nonce, data].map((part) => part.toString("base64url")).join(".");
}

/** Undefined for a text that is not of this connection, or whose time is over. */
export function openState(
  keyring: Keyring,
  connectionId: string,
  text: string,
  now: Date,
): StartedSso | undefined {
  const parts = sealedSchema.safeParse(text.split("."));
  if (!parts.success) return undefined;
  const [keyId, nonce, data] = parts.data.map((part) => Buffer.from(part, "base64url"));
  if (keyId === undefined || nonce === undefined || data === undefined) return undefined;
  try {
    const opened = keyring.decrypt({ keyId: keyId.toString(), nonce, data }, place(connectionId));
    const started = startedSchema.parse(JSON.parse(opened.toString()));
    return started.endsAt > now.getTime() ? started : undefined;
  } catch {
    // Anybody may send any text. A key that was removed from the keyring is of no use either.
    return undefined;
  }
}
