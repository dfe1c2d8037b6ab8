import {
  CreateLabelSheetRequestSchema,
  LabelCode,
  LabelField,
  LabelFormat,
  LabelSheetSchema,
  LabelSheetStatus,
  LabelTemplateSchema,
  MissingTags,
} from "@asset-register/proto/assetregister/register/v1/label_pb";
import { limits } from "@asset-register/proto/limits";
import { enumNamesOf } from "@asset-register/rpc";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, nullable, unset } from "../http/schemas.ts";

const template = Type.Enum([...enumNamesOf(LabelTemplateSchema).names], {
  description:
    "Sheets: `l7651` (65 labels), `l7160` (21), `l4731` (189), `5160` (30), `5167` (80). Rolls: the size of a label in millimetres.",
  examples: ["l7160"],
});
const content = Type.Array(enumOf(LabelField), {
  maxItems: 3,
  uniqueItems: true,
  description: "The lines beside the code, in this order. All by default",
  examples: [["number", "name"]],
});
const startAt = Type.Integer({
  minimum: 1,
  maximum: limits.labelsOnPage,
  description: "The label of a sheet that is printed first: the ones before are used",
  examples: [1],
});
const text = Type.String({
  maxLength: limits.labelText,
  description: "A further line on each label",
  examples: ["Return to the front desk"],
});
const dpi = Type.Enum([203, 300], { description: "Dots per inch of the printer of `zpl`", examples: [203] });
const code = enumOf(LabelCode);
const missingTags = enumOf(MissingTags);

const skipCodes = ["NOT_FOUND", "ASSET_DISPOSED", "ASSET_TAKES_NO_TAG", "TAG_MISSING", "CODE_DOES_NOT_FIT"];

export const labelSheet = resource(LabelSheetSchema, "LabelSheet", {
  id: id("lbl"),
  status: enumOf(LabelSheetStatus, "ready"),
  progress: Type.Object(
    { done: Type.Integer(), total: Type.Integer() },
    { description: "Assets that were judged, and all", examples: [{ done: 2, total: 2 }] },
  ),
  template,
  format: enumOf(LabelFormat),
  code,
  start_at: startAt,
  content,
  text: nullable(text),
  dpi,
  missing_tags: missingTags,
  labels: Type.Integer({ description: "Labels that were made", examples: [2] }),
  skipped: Type.Array(Type.Object({ asset_id: id("ast"), code: Type.Enum(skipCodes) }), {
    description: "Assets without a label, and why",
    examples: [[{ asset_id: exampleId("ast"), code: "ASSET_TAKES_NO_TAG" }]],
  }),
  error: unset(
    Type.Object({ code: like("VALIDATION_FAILED"), message: like("No asset has a code to print.") }),
  ),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
  expires_at: instant("When it is removed: 24 hours after its creation"),
});

const idIn = (prefix: string) => Type.Optional(id(prefix));

export const newLabelSheetSchema = body(
  {
    asset_ids: Type.Optional(
      Type.Array(id("ast"), {
        minItems: 1,
        description: `Exactly one of \`asset_ids\` and \`filter\`. At most ${limits.labels.toLocaleString("en")}; the labels are in this order`,
      }),
    ),
    filter: Type.Optional(
      body(
        {
          category_id: idIn("cat"),
          property_id: idIn("prp"),
          location_id: idIn("loc"),
          status_id: idIn("sta"),
          custodian_id: idIn("cus"),
          q: Type.Optional(Type.String({ maxLength: 200 })),
        },
        { description: "The filters of GET /assets. The labels are in the order of numbers" },
      ),
    ),
    template,
    format: Type.Optional(enumOf(LabelFormat)),
    code: Type.Optional(code),
    start_at: Type.Optional(startAt),
    content: Type.Optional(content),
    text: Type.Optional(text),
    dpi: Type.Optional(dpi),
    missing_tags: Type.Optional(missingTags),
  },
  {
    title: "NewLabelSheet",
    examples: [{ asset_ids: [exampleId("ast")], template: "l7160", code: "qr", missing_tags: "bind" }],
  },
);

export const toCreateLabelSheet = requestMessage(CreateLabelSheetRequestSchema, newLabelSheetSchema);
