import {
  type IngestResult,
  IngestStatus,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/ingest_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNames } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { required } from "../http/required.ts";
import { body, id, like } from "../http/schemas.ts";

const ingestStatus = enumOf(IngestStatus);
const statusNames = enumNames(IngestStatus);

export const signedEventSchema = body(
  {
    reader_id: id("rdr"),
    epc: Type.String({ minLength: 1, maxLength: 200, examples: ["303435FC8803D056D15B963F"] }),
    ts: Type.Union([
      Type.String({ minLength: 1, maxLength: 40, examples: ["2026-01-01T00:00:00.000Z"] }),
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    ]),
    signature: Type.String({
      minLength: 64,
      maxLength: 80,
      description:
        "Hex HMAC-SHA256 of `v1\\n{reader_id}\\n{epc}\\n{ts}` under the reader's secret, all as sent",
      examples: ["1e851ef68113ddb65514cdc01d3708a8071e86dbcd9db63a5a2bab52daf76dba"],
    }),
  },
  { title: "SignedReaderEvent" },
);

/** The body of a request that its reader signs. For the document only: the gateway passes it on as bytes. */
export const signedBatchSchema = body(
  {
    events: Type.Array(
      body({
        epc: signedEventSchema.properties.epc,
        ts: signedEventSchema.properties.ts,
        antenna: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, examples: [1] })),
        rssi: Type.Optional(
          Type.Number({ minimum: -200, maximum: 100, description: "dBm", examples: [-52] }),
        ),
        count: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: "Reads put together" }),
        ),
      }),
      { maxItems: limits.events, description: "None: the reader's sign of life" },
    ),
  },
  { title: "SignedBatch" },
);

/** An event as its service gets it. The signature of a number is that of its decimal digits (ingest.md). */
export const toSignedEvent = (workspaceId: string, input: Type.Static<typeof signedEventSchema>) => ({
  workspaceId,
  readerId: input.reader_id,
  epc: input.epc,
  ts: String(input.ts),
  signature: input.signature,
});

export const acceptedSchema = Type.Object(
  { event_id: like("evt_2f1c9f0e8a574d1bb0c80c8a3c6a4e11"), status: ingestStatus },
  { title: "AcceptedEvent" },
);

/** The answer to one accepted event. By hand, like `presentBatch`: this is the hot path. */
export const presentAccepted = ({ eventId, status }: IngestResult): Type.Static<typeof acceptedSchema> => ({
  event_id: required(eventId),
  status: required(statusNames.decode(status)),
});

export const batchResultSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer(),
        status: ingestStatus,
        event_id: Type.Optional(like("evt_2f1c9f0e8a574d1bb0c80c8a3c6a4e11")),
        code: Type.Optional(like("READER_SIGNATURE_INVALID")),
        message: Type.Optional(like("The reader's signature is not valid.")),
        errors: Type.Optional(
          Type.Array(Type.Object({ field: like("epc"), message: like("must be hex or an EPC URI") })),
        ),
      }),
      {
        examples: [
          [
            { index: 0, status: "accepted", event_id: "evt_2f1c9f0e8a574d1bb0c80c8a3c6a4e11" },
            {
              ...{ index: 1, status: "rejected", code: "READER_SIGNATURE_INVALID" },
              message: "The reader's signature is not valid.",
            },
          ],
        ],
      },
    ),
  },
  { title: "BatchResult" },
);

/** The answer to each event of a batch, in request order. */
export function presentBatch(results: IngestResult[]): Type.Static<typeof batchResultSchema> {
  return {
    results: results.map(({ status, eventId, error }, index) => ({
      index,
      status: required(statusNames.decode(status)),
      event_id: eventId,
      code: error?.code,
      message: error?.message,
      errors: error && violationsOf(error, index),
    })),
  };
}

/** The wrong fields of one event, by their names in it, as in the answers of other batches. */
function violationsOf({ violations }: NonNullable<IngestResult["error"]>, index: number) {
  if (violations.length === 0) return undefined;
  const path = `events.${index}.`;
  return violations.map(({ field, message }) => ({
    field: field.startsWith(path) ? field.slice(path.length) : field,
    message,
  }));
}
