import { createHash, createHmac, createSecretKey, type KeyObject, randomUUID } from "node:crypto";

/** The id and signing key of a reader, as its firmware has them. */
export type ReaderKey = { id: string; key: KeyObject };

/** Makes a signing key. The HMAC key is the UTF-8 encoding of the complete secret as it was shown. */
export function readerKey(id: string, secret: string): ReaderKey {
  return { id, key: createSecretKey(secret, "utf8") };
}

/** A signed event for surface A. */
export function signEvent({ id, key }: ReaderKey, event: { epc: string; ts: string | number }) {
  const signature = createHmac("sha256", key).update(`v1\n${id}\n${event.epc}\n${event.ts}`).digest("hex");
  return { reader_id: id, ...event, signature };
}

export type BatchHeaders = Record<`x-reader-${"id" | "timestamp" | "nonce" | "signature"}`, string>;

type Signed = { at?: Date; nonce?: string };

/** The headers that sign a batch for surface B. */
export function signBatch(reader: ReaderKey, body: string, signed?: Signed): BatchHeaders {
  const { timestamp, nonce, signature } = signBody(reader, "/asset_manager_api/ingest/events", body, signed);
  return {
    "x-reader-id": reader.id,
    "x-reader-timestamp": timestamp,
    "x-reader-nonce": nonce,
    "x-reader-signature": signature,
  };
}

export type SyncHeaders = Record<`x-agent-${"id" | "timestamp" | "nonce" | "signature"}`, string>;

/** The headers that sign the sync of an agent, which has its key from `readerKey`. */
export function signAgentSync(agent: ReaderKey, body: string, signed?: Signed): SyncHeaders {
  const { timestamp, nonce, signature } = signBody(agent, "/asset_manager_api/agents/sync", body, signed);
  return {
    "x-agent-id": agent.id,
    "x-agent-timestamp": timestamp,
    "x-agent-nonce": nonce,
    "x-agent-signature": signature,
  };
}

function signBody(
  { id, key }: ReaderKey,
  path: string,
  body: string,
  { at = new Date(), nonce = randomUUID() }: Signed = {},
) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const digest = createHash("sha256").update(body).digest("hex");
  const text = `v1\nPOST\n${path}\n${id}\n${timestamp}\n${nonce}\n${digest}`;
  return { timestamp, nonce, signature: `v1=${createHmac("sha256", key).update(text).digest("hex")}` };
}
