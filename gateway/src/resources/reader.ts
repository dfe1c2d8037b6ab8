import {
  CreateReaderRequestSchema,
  ReaderKind,
  ReaderSchema,
  ReaderStatus,
  RotateReaderSecretRequestSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, id, idFilter, instant, named, nullable, rev, unset } from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";

const count = (description: string) => Type.Integer({ description, examples: [42] });

export const reader = resource(ReaderSchema, "Reader", {
  id: id("rdr"),
  name: required(named("Portal at gate 3")),
  kind: fixed(required(enumOf(ReaderKind))),
  zone_id: optional(id("zon")),
  location_id: optional(id("loc")),
  auto_move: defaulted(
    Type.Boolean({ description: "Whether an asset moves when this portal reads it on its way in" }),
  ),
  status: enumOf(ReaderStatus),
  last_seen_at: nullable(instant()),
  clock_skew_ms: nullable(Type.Integer({ description: "How far its clock is ahead", examples: [120] })),
  accepted: count("Events accepted since it was registered"),
  rejected: count("Events rejected since it was registered"),
  rev,
  created_at: nullable(instant()),
  revoked_at: unset(instant()),
});

/** The filters of the list. */
export const readerQuery = {
  zone_id: idFilter("zon"),
  kind: Type.Optional(enumOf(ReaderKind)),
  status: Type.Optional(enumOf(ReaderStatus)),
  silent: Type.Optional(
    Type.Boolean({
      description:
        "True: active fixed portals that were not heard for 5 minutes and 70 s. False: all others.",
    }),
  ),
};

/** The answer to a read of one reader. */
export const readerHealthSchema = Type.Object(
  {
    ...reader.schema.properties,
    rejected_by_code: Type.Record(Type.String(), Type.Integer(), {
      description: "Events rejected in the last 15 minutes, by error code",
      examples: [{ VALIDATION_FAILED: 2 }],
    }),
    events_per_minute: Type.Number({ description: "Events accepted in the last 15 minutes, on average" }),
  },
  { title: "ReaderHealth" },
);

/** The answers that show the secret: to the creation of a reader and to a rotation. */
export const readerWithSecretSchema = Type.Object(
  {
    ...reader.schema.properties,
    secret: Type.String({ examples: ["rdsec_AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI"] }),
  },
  { title: "ReaderWithSecret" },
);

export const newReaderSchema = newBody(reader);
export const toNewReader = requestMessage(CreateReaderRequestSchema, newReaderSchema);

export const readerPatch = mergePatch(reader);

export const rotationSchema = body({
  overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSeconds })),
});
export const toRotation = requestMessage(RotateReaderSecretRequestSchema, rotationSchema);
