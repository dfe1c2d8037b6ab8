import { randomUUID } from "node:crypto";
import { type Api, type ReaderKey, readerKey, signBatch, signEvent } from "@asset-register/harness/client";
import type { SimulatedReader } from "./fleet.ts";
import type { Report } from "./report.ts";

export type Read = { epc: string; ts: string; antenna: number; rssi: number };

export type Sender = (reader: SimulatedReader, reads: Read[], badSignature: boolean) => Promise<void>;

type Outcome = { status: string; code?: string };

const withWrongSecret = (reader: ReaderKey): ReaderKey => readerKey(reader.id, `rdsec_${randomUUID()}`);

/** Sends reads as the reader's profile does: phones one by one to surface A, others in batches to surface B. */
export function createSender({
  keyApi,
  devices,
  report,
}: {
  keyApi: Api;
  devices: Api;
  report: Report;
}): Sender {
  const post = async (reads: number, request: () => ReturnType<Api["call"]>): Promise<void> => {
    report.sent(reads);
    const started = performance.now();
    const { status, body } = await request();
    report.took(performance.now() - started);
    if (status !== 202) {
      const { code } = body as { code?: string };
      report.received(`refused ${status} ${code ?? ""}`.trim(), reads);
      return;
    }
    for (const { status: outcome, code } of outcomes(body)) {
      report.received(code === undefined ? outcome : `${outcome} ${code}`, 1);
    }
  };

  return async (reader, reads, badSignature) => {
    const signer = badSignature ? withWrongSecret(reader) : reader;
    if (reader.profile === "phone") {
      for (const { epc, ts } of reads) {
        await post(1, () => keyApi.call("POST", "/reader-events", signEvent(signer, { epc, ts })));
      }
      return;
    }
    const body = JSON.stringify({ events: reads });
    const at = new Date(Date.now() + reader.skewMs);
    await post(reads.length, () =>
      devices.call("POST", "/ingest/events", body, signBatch(signer, body, { at })),
    );
  };
}

function outcomes(body: unknown): Outcome[] {
  const { data, results } = body as { data?: Outcome; results?: Outcome[] };
  return results ?? (data === undefined ? [] : [data]);
}
