import { createHmac } from "node:crypto";
import type { AcceptedEvent } from "../src/domain/ingest/accepted-event.ts";
import { batchText, bodyHash, eventText } from "../src/domain/ingest/signing.ts";

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

let used = 0;

/** A code that no other test uses. */
export function newEpc(): string {
  return `E280${Math.random().toString(16).slice(2, 10).padEnd(8, "0")}${String(used++).padStart(12, "0")}`.toUpperCase();
}

type Signed = { nonce?: string; at?: Date };

/** A reader that signs as a device does. */
export function testReader(workspaceId: string, { id, secret }: { id: string; secret: string }) {
  /** A request with any body, signed as on surface B. */
  function signedBody(text: string | Buffer, { nonce = `n-${used++}`, at = new Date() }: Signed = {}) {
    const body = Buffer.from(text);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const signature = `v1=${hmac(secret, batchText(id, timestamp, nonce, bodyHash(body)))}`;
    return { readerId: id, timestamp, nonce, signature, body };
  }
  return {
    ...{ id, secret, signedBody },
    /** A request of events, signed as on surface B. */
    signedBatch: (events: unknown[], more?: Signed) => signedBody(JSON.stringify({ events }), more),
    /** One event, signed as on surface A. */
    signedEvent(epc = newEpc(), at: Date | string = new Date()) {
      const ts = typeof at === "string" ? at : at.toISOString();
      return { workspaceId, readerId: id, epc, ts, signature: hmac(secret, eventText(id, epc, ts)) };
    },
    /** An event of it that ingest has accepted. */
    acceptedEvent: (epc: string, at: number, receivedAt = at): AcceptedEvent => ({
      ...{ id: `evt_${epc}${at}${id}`, workspaceId, readerId: id, epc, receivedAt },
      ...{ ts: { ms: at, nanos: 0 }, count: 1 },
    }),
  };
}

export type TestReader = ReturnType<typeof testReader>;
export type SignedBatch = ReturnType<TestReader["signedBody"]>;
export type SignedEvent = ReturnType<TestReader["signedEvent"]>;
