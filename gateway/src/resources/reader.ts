import {
  CreateReaderRequestSchema,
  ReaderHealthReason,
  ReaderHealthState,
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
import { defaulted, fixed, listOf, optional, required } from "../http/writable.ts";
import { readFilters } from "./read-filter.ts";

const count = (description: string) => Type.Integer({ description, examples: [42] });

/** Why a reader is degraded. */
export const readerHealthReason = enumOf(ReaderHealthReason);

/** The number of an antenna, as in events of its reader. */
export const antennaNumber = Type.Integer({ minimum: 0, maximum: limits.antenna, examples: [1] });

export const reader = resource(ReaderSchema, "Reader", {
  id: id("rdr"),
  name: required(named("Portal at gate 3")),
  kind: fixed(required(enumOf(ReaderKind))),
  zone_id: optional(id("zon")),
  location_id: optional(id("loc")),
  auto_move: defaulted(
    Type.Boolean({ description: "Whether an asset moves when this portal reads it on its way in" }),
  ),
  antennas: defaulted(
    listOf(
      {
        antenna: required(antennaNumber),
        name: required(named("Inside of the door")),
        zone_id: optional(
          id("zon", "Without one, its reads are in no zone, whatever the zone of the reader"),
        ),
        location_id: optional(id("loc", "Without one, the location of the reader")),
        min_rssi: optional(
          Type.Number({
            minimum: limits.rssiLeast,
            maximum: limits.rssi,
            description: "dBm. Weaker reads are stored and counted, and move nothing",
            examples: [-65],
          }),
        ),
      },
      {
        maxItems: limits.antennas,
        description:
          "Antennas with a place of their own. `zone_id` and `location_id` are for all other reads",
      },
    ),
    { patched: { description: "The antennas from now on, all of them" } },
  ),
  filters: readFilters(limits.readerFilters, "Filters of its reads, before those of the workspace."),
  reference_epcs: defaulted(
    Type.Array(
      Type.String({ minLength: 1, maxLength: limits.tagCode, examples: ["303435FC8803D056D15B963F"] }),
      {
        maxItems: limits.referenceEpcs,
        description:
          "EPCs of tags that are always before it, in hex or as URIs. Without a read of any for 15 minutes it is blind. Their reads are counted, make no sightings and are not stored",
      },
    ),
    { patched: { description: "The EPCs of its reference tags from now on, all of them" } },
  ),
  health: nullable(
    Type.Object(
      {
        state: enumOf(ReaderHealthState, "degraded"),
        reasons: Type.Array(readerHealthReason, {
          description:
            "`blind`: it reads far less than usual while other portals of its zone, else of its location, read, or no reference tag. `clock_skew`: its clock is more than 10 s off. `signatures`: more wrong than right ones. `rejected`: more than half of its events",
        }),
        since: nullable(instant("Since when it has this state")),
      },
      {
        title: "JudgedHealth",
        description:
          "Judged once a minute by the last 15 minutes, while it is heard. Null before the first time",
      },
    ),
  ),
  status: enumOf(ReaderStatus),
  last_seen_at: nullable(instant()),
  clock_skew_ms: nullable(Type.Integer({ description: "How far its clock is ahead", examples: [120] })),
  accepted: count("Events accepted since it was registered"),
  rejected: count("Events rejected since it was registered. Wrong signatures are no events"),
  rev,
  created_at: nullable(instant()),
  revoked_at: unset(instant()),
});

/** The filters of the list. */
export const readerQuery = {
  zone_id: idFilter("zon", "Only readers of this zone, also with one of their antennas"),
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
      description: "Events rejected in the last 15 minutes, and wrong signatures, by error code",
      examples: [{ VALIDATION_FAILED: 2 }],
    }),
    events_per_minute: Type.Number({ description: "Events accepted in the last 15 minutes, on average" }),
    ignored_by_reason: Type.Record(Type.String(), Type.Integer(), {
      description:
        "Accepted reads of the last 15 minutes that moved nothing: `late`, `below_min_rssi`, `filtered`, `unknown_limit`, `reference`",
      examples: [{ late: 2 }],
    }),
    flapping: count(
      "Moves to its places in the last 15 minutes by tags that move too often to move an asset",
    ),
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
