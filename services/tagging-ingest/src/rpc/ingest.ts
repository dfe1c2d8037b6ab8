import type { ErrorDetailSchema } from "@asset-register/proto/assetregister/common/v1/error_pb";
import {
  type IngestResultSchema,
  IngestService,
  IngestStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { AppError } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IngestAnswer } from "../operations/ingest-answer.ts";
import type { BatchAnswer, SignedBatch } from "../operations/ingest-batches.ts";
import type { SignedEvent } from "../operations/ingest-events.ts";

type Operations = {
  ingestEvents(events: readonly SignedEvent[], oneRequest: boolean): Promise<IngestAnswer[]>;
  ingestBatches(batches: readonly SignedBatch[]): Promise<BatchAnswer[]>;
};

const STATUSES = {
  accepted: IngestStatus.ACCEPTED,
  duplicate: IngestStatus.DUPLICATE,
  rejected: IngestStatus.REJECTED,
} as const satisfies Record<IngestAnswer["status"], IngestStatus>;

/** Signed reads over RPC. */
export function ingestService({ ingestEvents, ingestBatches }: Operations): Implementation {
  return implement(IngestService, {
    async ingestSignedEvents({ events, oneRequest }) {
      return { results: (await ingestEvents(events, oneRequest)).map(toResult) };
    },
    async ingestSignedBatches({ batches }) {
      const answers = await ingestBatches(batches);
      return {
        batches: answers.map((answer) =>
          "error" in answer
            ? { error: errorDetail(answer.error) }
            : { results: answer.answers.map(toResult) },
        ),
      };
    },
  });
}

function toResult(answer: IngestAnswer): MessageInitShape<typeof IngestResultSchema> {
  const status = STATUSES[answer.status];
  return answer.status === "rejected"
    ? { status, error: errorDetail(answer.error) }
    : { status, eventId: answer.eventId };
}

function errorDetail(error: AppError): MessageInitShape<typeof ErrorDetailSchema> {
  const { kind, code, message, violations, retryAfterMs = 0 } = error;
  return { kind, code, message, violations, retryAfterMs };
}
