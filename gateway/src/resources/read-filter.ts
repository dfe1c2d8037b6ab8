import { ReadFilterAction } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_settings_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { defaulted, listOf, optional, required } from "../http/writable.ts";

/** Filters of reads, of a workspace or of a reader. */
export const readFilters = (maxItems: number, description: string) =>
  defaulted(
    listOf(
      {
        action: required(enumOf(ReadFilterAction)),
        prefix: required(
          Type.String({
            minLength: 1,
            maxLength: limits.epcDigits,
            pattern: "^[0-9A-Fa-f]+$",
            description: "The beginning of EPCs, in hex",
            examples: ["3034"],
          }),
        ),
        bits: optional(
          Type.Integer({
            minimum: 1,
            maximum: 4 * limits.epcDigits,
            description: "So many bits of the prefix are compared. All by default",
            examples: [14],
          }),
        ),
      },
      {
        maxItems,
        description: `${description} The first that matches decides; with any \`accept\`, reads that none matches are ignored: they are counted, not stored.`,
      },
    ),
  );
