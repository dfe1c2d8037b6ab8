import {
  PutReaderSettingsRequestSchema,
  ReaderSettingsSchema,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, rev, unset } from "../http/schemas.ts";
import { defaulted, group, listOf, optional, required } from "../http/writable.ts";
import { presenceSettings } from "./presence-settings.ts";
import { readFilters } from "./read-filter.ts";

const seconds = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: limits.travelSeconds, description, examples: [example] });

const travel = group(
  {
    default_seconds: defaulted(seconds("Between all other properties. 300 by default", 300)),
    pairs: defaulted(
      listOf(
        {
          property_ids: required(
            Type.Array(id("prp"), {
              ...{ minItems: 2, maxItems: 2, uniqueItems: true },
              description: "Two properties, in any order",
              examples: [[exampleId("prp"), "prp_01k8f70a4bfhkv5wq2t4r7z1xf"]],
            }),
          ),
          seconds: required(seconds("0: the same EPC in both is never a clone", 900)),
        },
        { maxItems: limits.travelPairs },
      ),
    ),
  },
  {
    description:
      "How soon the same EPC may be read at another property. Sooner, the tag is cloned: alerts `tag_cloned`",
  },
);

/** The settings of a workspace for all its readers. */
export const readerSettings = resource(ReaderSettingsSchema, "ReaderSettings", {
  presence: optional(presenceSettings),
  filters: readFilters(limits.workspaceFilters, "Filters of reads, after those of the reader."),
  unknown_per_hour: defaulted(
    Type.Integer({
      minimum: 0,
      maximum: limits.unknownPerHour,
      description:
        "New unknown tags of each reader in an hour. Reads of more are counted, not stored. 1000 by default",
      examples: [1000],
    }),
  ),
  travel: defaulted(travel),
  rev,
  updated_at: unset(instant("Null until they are stored for the first time")),
});

/** The settings as they should be. Absent fields have their defaults. */
export const readerSettingsBody = newBody(readerSettings);
export const toReaderSettings = requestMessage(PutReaderSettingsRequestSchema, readerSettingsBody);
