import { endsWithin } from "@asset-register/runtime";
import type { Producer as KafkaProducer } from "kafkajs";
import { type OutRecord, sendRecords } from "../kafkajs/send-records.ts";
import { splitBySize } from "./record-size.ts";

export type SizedRecord = OutRecord & { size: number };

export type OwnProducer = {
  connect(): Promise<void>;
  /** One call at a time. @throws Error if not all records are known to be stored, after the limit at the latest */
  send(records: readonly SizedRecord[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * A kafkajs producer that is replaced after any error, because its retries can reuse a sequence number. A send that takes
 * longer than the limit continues in the background, and may still store its records.
 */
export function createOwnProducer(open: () => Promise<KafkaProducer>, limitMs: number): OwnProducer {
  let opened: Promise<KafkaProducer> | undefined;

  async function connected(): Promise<KafkaProducer> {
    opened ??= open();
    return opened;
  }

  /** Closes the producer after its work. kafkajs would connect again for the retries of a send. */
  function replace(work: Promise<unknown>): void {
    const replaced = opened;
    opened = undefined;
    void work
      .catch(() => {})
      .then(async () => (await replaced)?.disconnect())
      .catch(() => {});
  }

  async function sendAll(records: readonly SizedRecord[]): Promise<void> {
    const through = await connected();
    for (const part of splitBySize(records)) await sendRecords(through, part, limitMs);
  }

  async function within(work: Promise<unknown>): Promise<void> {
    try {
      if (!(await endsWithin(work, limitMs)))
        throw new Error(`The broker did not answer within ${limitMs} ms.`);
      await work;
    } catch (error) {
      replace(work);
      throw error;
    }
  }

  return {
    connect: () => within(connected()),
    send: (records) => within(sendAll(records)),
    async close() {
      const closed = opened;
      opened = undefined;
      await (await closed?.catch(() => undefined))?.disconnect().catch(() => {});
    },
  };
}
