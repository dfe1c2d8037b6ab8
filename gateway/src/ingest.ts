import type {
  BatchResult,
  IngestResult,
  IngestService,
  SignedBatchSchema,
  SignedEventSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type Bulkhead, type Client, fromErrorDetail } from "@asset-register/rpc";
import { AppError, createBatcher } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Refusals, Sender } from "./refusals.ts";

type SignedEvent = MessageInitShape<typeof SignedEventSchema>;
type SignedBatch = MessageInitShape<typeof SignedBatchSchema>;

/** Each throws RATE_LIMITED before it asks the service when too many signatures of the sender were wrong. */
export type Ingest = {
  /** @throws AppError when the event is rejected, or ingest is unavailable */
  event(event: SignedEvent, sender: Sender): Promise<IngestResult>;
  /** One result for each event, in order. @throws AppError only when ingest is unavailable */
  events(events: SignedEvent[], sender: Sender): Promise<IngestResult[]>;
  /** @throws AppError when the whole request is rejected, or ingest is unavailable */
  batch(batch: SignedBatch, sender: Sender): Promise<IngestResult[]>;
};

/** 500 events are about 100 KiB. */
const EVENTS_PER_CALL = 500;
const BATCHES_PER_CALL = 16;
/**
 * A message has at most 16 MiB (packages/rpc). The answer too: it has the violations of each of up to 1000 events of
 * each body.
 */
const BODY_BYTES_PER_CALL = 3 * 1_048_576;
const CALLS_IN_FLIGHT = 2;
/** A call costs both sides as much as about fifty events. */
const EVENTS_WORTH_A_CALL = 128;
const BATCHES_WORTH_A_CALL = 8;
const WRONG_SIGNATURE = "READER_SIGNATURE_INVALID";

/**
 * Requests that wait at the same time share one call to the ingest service. So a limit of calls would not limit
 * requests. The bulkhead does.
 */
export function createIngest(
  client: Client<typeof IngestService>,
  bulkhead: Bulkhead,
  refusals: Refusals,
): Ingest {
  const events = createBatcher<SignedEvent, IngestResult>({
    maxItems: EVENTS_PER_CALL,
    maxInFlight: CALLS_IN_FLIGHT,
    worthwhile: EVENTS_WORTH_A_CALL,
    hangs: isDeadline,
    send: async (items) => (await client.ingestSignedEvents({ events: items })).results,
  });
  const batches = createBatcher<SignedBatch, BatchResult>({
    maxItems: BATCHES_PER_CALL,
    maxWeight: BODY_BYTES_PER_CALL,
    weigh: ({ body }) => body?.length ?? 0,
    maxInFlight: CALLS_IN_FLIGHT,
    worthwhile: BATCHES_WORTH_A_CALL,
    hangs: isDeadline,
    send: async (items) => (await client.ingestSignedBatches({ batches: items })).batches,
  });
  /** Each wrong signature counts: it costs the service the same, alone or among others of a request. */
  const countWrong = async (answers: { error?: { code: string } | undefined }[], sender: Sender) => {
    const wrong = answers.filter(({ error }) => error?.code === WRONG_SIGNATURE).length;
    if (wrong > 0) await refusals.count(sender, wrong);
  };
  return {
    async event(event, sender) {
      refusals.admit(sender);
      const result = await bulkhead.run(() => events.add(event));
      await countWrong([result], sender);
      if (result.error !== undefined) throw fromErrorDetail(result.error);
      return result;
    },
    async events(items, sender) {
      refusals.admit(sender);
      const { results } = await client.ingestSignedEvents({ events: items, oneRequest: true });
      await countWrong(results, sender);
      // One error for the whole request: the client retries it after a 503, and a repeat of the other events is safe.
      const unavailable = results.find(({ error }) => error?.kind === "unavailable")?.error;
      if (unavailable !== undefined) throw fromErrorDetail(unavailable);
      // A quota refuses all events of a request, beside those that have another error.
      const limited = results.find(({ error }) => error?.kind === "exhausted")?.error;
      const accepted = results.some(({ error }) => error === undefined);
      if (limited !== undefined && !accepted) throw fromErrorDetail(limited);
      return results;
    },
    async batch(batch, sender) {
      refusals.admit(sender);
      const { error, results } = await bulkhead.run(() => batches.add(batch));
      await countWrong([{ error }], sender);
      if (error !== undefined) throw fromErrorDetail(error);
      return results;
    },
  };
}

const isDeadline = (error: unknown): boolean =>
  error instanceof AppError && error.code === "DEADLINE_EXCEEDED";
