const PATH = "/asset_manager_api/ingest/events";

const encoder = new TextEncoder();

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The key of a reader: the UTF-8 encoding of the complete secret as it was shown. */
export const readerKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

type Signed = { id: string; key: CryptoKey; body: string; at: Date; nonce: string };

/** The headers by which a reader signs a batch of reads, as its firmware does. */
export async function signBatch({ id, key, body, at, nonce }: Signed) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const digest = hex(await crypto.subtle.digest("SHA-256", encoder.encode(body)));
  const text = `v1\nPOST\n${PATH}\n${id}\n${timestamp}\n${nonce}\n${digest}`;
  return {
    "x-reader-id": id,
    "x-reader-timestamp": timestamp,
    "x-reader-nonce": nonce,
    "x-reader-signature": `v1=${hex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)))}`,
  };
}

/** Sends a signed batch. It needs no session: the signature says who sends. */
export async function postBatch(id: string, key: CryptoKey, events: readonly object[], signal: AbortSignal) {
  const body = JSON.stringify({ events });
  const headers = await signBatch({ id, key, body, at: new Date(), nonce: crypto.randomUUID() });
  return fetch(PATH, {
    ...{ method: "POST", body, signal, credentials: "omit" },
    headers: { ...headers, "content-type": "application/json" },
  });
}
