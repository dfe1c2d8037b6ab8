import type { ErrorDetailSchema } from "@asset-register/proto/assetregister/common/v1/error_pb";
import {
  type BatchResultSchema,
  type IngestResultSchema,
  IngestStatus,
  ReaderState as ProtoReaderState,
  type ResolvedReaderSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { enumNames } from "@asset-register/rpc";
import type { AppError } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { IngestAnswer } from "../operations/ingest/ingest-answer.ts";
import type { BatchAnswer } from "../operations/ingest/judge-batch.ts";
import type { ReaderState } from "../operations/ingest/resolve-readers.ts";

const ingestStatusNames = enumNames(IngestStatus);
const readerStateNames = enumNames(ProtoReaderState);

export const encodeReaderState = (reader: ReaderState): MessageInitShape<typeof ResolvedReaderSchema> => ({
  ...reader,
  state: readerStateNames.encode(reader.state),
});

export function encodeIngestAnswer(answer: IngestAnswer): MessageInitShape<typeof IngestResultSchema> {
  const status = ingestStatusNames.encode(answer.status);
  return answer.status === "rejected"
    ? { status, error: encodeError(answer.error) }
    : { status, eventId: answer.eventId };
}

export function encodeBatchAnswer(answer: BatchAnswer): MessageInitShape<typeof BatchResultSchema> {
  return "error" in answer
    ? { error: encodeError(answer.error) }
    : { results: answer.answers.map(encodeIngestAnswer) };
}

function encodeError(error: AppError): MessageInitShape<typeof ErrorDetailSchema> {
  const { kind, code, message, violations, retryAfterMs = 0 } = error;
  return { kind, code, message, violations, retryAfterMs };
}
