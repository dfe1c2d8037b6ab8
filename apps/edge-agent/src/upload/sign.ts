import { createHash, createHmac } from "node:crypto";

/** What a signature covers. The order is that of the signed text. */
export type Signed = { path: string; id: string; timestamp: number; nonce: string; body: Uint8Array };

/** Signs a POST for surface B. The key is the UTF-8 encoding of the whole secret. */
export function sign(secret: string, { path, id, timestamp, nonce, body }: Signed): string {
  const digest = createHash("sha256").update(body).digest("hex");
  const text = `v1\nPOST\n${path}\n${id}\n${timestamp}\n${nonce}\n${digest}`;
  return `v1=${createHmac("sha256", secret).update(text).digest("hex")}`;
}
