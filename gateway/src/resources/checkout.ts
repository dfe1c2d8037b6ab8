import {
  CheckoutSchema,
  CheckoutStatus,
  Condition,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { toTimestamp } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, rev, unset } from "../http/schemas.ts";

export const checkoutStatus = enumOf(CheckoutStatus);
export const issuedToType = enumOf(IssuedToType);
export const condition = enumOf(Condition);

export const checkout = resource(CheckoutSchema, "Checkout", {
  id: id("chk"),
  asset_id: id("ast"),
  status: checkoutStatus,
  issued_to_type: issuedToType,
  issued_to_id: nullable(like(exampleId("cus"))),
  issued_to_name: nullable(like("Ada Lovelace")),
  issued_at: nullable(instant()),
  due_at: nullable(instant()),
  overdue: Type.Boolean(),
  condition_out: nullable(like("good")),
  condition_in: unset(like("good")),
  note: nullable(like("With charger")),
  note_in: unset(like("Display scratched")),
  returned_at: unset(instant()),
  returned_late: Type.Boolean(),
  needs_inspection: Type.Boolean(),
  rev,
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
