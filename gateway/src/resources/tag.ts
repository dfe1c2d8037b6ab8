import {
  type CommissionTagRequest,
  CommissionTagRequestSchema,
  DecommissionTagRequestSchema,
  TagSchema,
  TagType,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, idFilter, instant, nullable, rev, text, unset } from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";
import type { CodeOf } from "../label-address.ts";

const tagType = enumOf(TagType);

export const tag = resource(TagSchema, "Tag", {
  id: id("tag"),
  type: fixed(defaulted(tagType)),
  epc: fixed(optional(Type.String({ minLength: 1, maxLength: 200, examples: ["303435FC8803D056D15B963F"] }))),
  code: fixed(
    optional(
      Type.String({
        minLength: 1,
        maxLength: limits.tagCode,
        description: "The address of a label, `{PUBLIC_URL}/t/{code}`, stands for its code",
      }),
      { shown: { examples: ["4006381333931"], description: undefined } },
    ),
  ),
  asset_id: fixed(required(id("ast"), { shown: nullable(id("ast")) })),
  bound_at: nullable(instant()),
  first_seen_at: nullable(instant("First sighting; null while it was never read")),
  last_seen_at: nullable(instant("Newest sighting")),
  last_asset_id: unset(id("ast", "Id of the asset that it was on before")),
  unbound_at: unset(instant("When it was freed")),
  ghost: Type.Boolean({
    description:
      "An unknown EPC that was read in one second only, faintly: it may be a mistake of the reader",
    examples: [false],
  }),
  rev,
  created_at: nullable(instant()),
});

/** The filters of both surfaces' lists. */
export const tagQuery = {
  type: Type.Optional(tagType),
  assigned: Type.Optional(
    Type.Boolean({ description: "True: tags on assets. False: free and unknown tags, without ghosts." }),
  ),
  ghost: Type.Optional(Type.Boolean({ description: "True: ghosts only. False: all others." })),
  asset_id: idFilter("ast"),
};

export const decommissionSchema = body({ note: Type.Optional(text) });
export const toDecommission = requestMessage(DecommissionTagRequestSchema, decommissionSchema);

/** A text that a scanner read or a person typed: an EPC in any form, a code or an NFC UID. */
export const tagText = Type.String({
  minLength: 1,
  maxLength: limits.tagCode,
  description: "EPC (hex or URI), code or NFC UID, or the address of a label",
  examples: ["303435FC8803D056D15B963F"],
});

export const commissionSchema = newBody(tag, {
  title: "Commission",
  examples: [{ epc: "303435FC8803D056D15B963F", asset_id: exampleId("ast") }],
});
type Commission = Type.Static<typeof commissionSchema>;

const toOtherFields = requestMessage(CommissionTagRequestSchema, commissionSchema, "epc", "code");

/** @throws AppError VALIDATION_FAILED unless the body has exactly one identifier */
export const toCommission = (
  input: Commission,
  codeOf: CodeOf,
): MessageInitShape<typeof CommissionTagRequestSchema> => ({
  ...toOtherFields(input),
  identifier: toIdentifier(input, codeOf),
});

function toIdentifier({ epc, code }: Commission, codeOf: CodeOf): CommissionTagRequest["identifier"] {
  if (epc !== undefined && code === undefined) return { case: "epc", value: epc };
  if (code !== undefined && epc === undefined) return { case: "code", value: codeOf(code) };
  throw invalid([{ field: "epc", message: "is required without code, and not allowed with it" }]);
}
