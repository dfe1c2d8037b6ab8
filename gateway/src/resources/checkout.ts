import {
  CheckoutSchema,
  CheckoutStatus,
  Condition,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CreateCheckoutRequestSchema } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage, toTimestamp } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import {
  body,
  dateOrInstant,
  exampleId,
  id,
  idOfAny,
  instant,
  like,
  nullable,
  rev,
  text,
  unset,
} from "../http/schemas.ts";
import { fixed, optional, required } from "../http/writable.ts";

export const checkoutStatus = enumOf(CheckoutStatus);
export const issuedToType = enumOf(IssuedToType);
export const condition = enumOf(Condition);

export const checkout = resource(CheckoutSchema, "Checkout", {
  id: id("chk"),
  asset_id: fixed(required(id("ast"))),
  status: checkoutStatus,
  issued_to_type: fixed(required(issuedToType)),
  issued_to_id: fixed(
    optional(
      Type.String({
        minLength: 1,
        maxLength: limits.id,
        description: "Required unless `issued_to_type` is `external`, which has none",
        examples: [exampleId("cus")],
      }),
      { shown: nullable(idOfAny("cus", "dep", "loc")) },
    ),
  ),
  issued_to_name: fixed(
    optional(
      Type.String({
        maxLength: limits.line,
        description: "Required when `issued_to_type` is `external`, otherwise refused",
        examples: ["Visitor"],
      }),
      { shown: nullable(like("Ada Lovelace")) },
    ),
  ),
  issued_at: nullable(instant()),
  due_at: fixed(optional(dateOrInstant, { shown: nullable(instant()) })),
  overdue: Type.Boolean(),
  condition_out: fixed(optional(condition, { shown: nullable(like("good")) })),
  condition_in: unset(like("good")),
  note: fixed(optional(text)),
  note_in: unset(like("Display scratched")),
  returned_at: unset(instant()),
  returned_late: Type.Boolean(),
  needs_inspection: Type.Boolean(),
  rev,
});

const EXAMPLE = {
  issued_to_type: "custodian",
  issued_to_id: exampleId("cus"),
  due_at: "2026-01-31",
  condition_out: "good",
};

/** The body of a checkout, and that of one whose path names the asset. */
export const newCheckoutSchema = newBody(checkout, {
  examples: [{ asset_id: exampleId("ast"), ...EXAMPLE }],
});
const { asset_id: _, ...issued } = newCheckoutSchema.properties;
export const newCheckoutOfAssetSchema = body(issued, { examples: [EXAMPLE] });

const convert = requestMessage(CreateCheckoutRequestSchema, newCheckoutOfAssetSchema, "due_at");
export const toNewCheckout = (input: Type.Static<typeof newCheckoutOfAssetSchema>) => ({
  ...convert(input),
  due: parseDue(input.due_at, "due_at"),
});

type Due = { case: "dueAt"; value: Timestamp } | { case: "dueOn"; value: string } | { case: undefined };

/**
 * The due time of a checkout. A date ("2026-01-31") means the end of that day in the time zone of the workspace, which
 * the register knows. A longer text is an instant.
 *
 * @throws AppError VALIDATION_FAILED that names `field`
 */
export function parseDue(text: string | undefined, field: string): Due {
  if (text === undefined) return { case: undefined };
  if (text.length === "2026-01-31".length) return { case: "dueOn", value: text };
  return { case: "dueAt", value: toTimestamp(text, field) };
}
