import {
  type Checkout,
  CheckoutStatus,
  IssuedToType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import Type from "typebox";
import { toTimestamp } from "../http/instant.ts";
import { orNull, presentInstant } from "../http/present.ts";
import { exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

export const checkoutStatus = wireEnum({ open: CheckoutStatus.OPEN, returned: CheckoutStatus.RETURNED });

export const issuedToType = wireEnum({
  custodian: IssuedToType.CUSTODIAN,
  department: IssuedToType.DEPARTMENT,
  location: IssuedToType.LOCATION,
  external: IssuedToType.EXTERNAL,
});

export const CONDITIONS = ["new", "good", "fair", "poor", "damaged", "not_working"] as const;
export const condition = Type.Enum(CONDITIONS);

export const checkoutSchema = Type.Object(
  {
    id: id("chk"),
    asset_id: id("ast"),
    status: checkoutStatus.schema,
    issued_to_type: issuedToType.schema,
    issued_to_id: nullable(like(exampleId("cus"))),
    issued_to_name: nullable(like("Ada Lovelace")),
    issued_at: nullable(instant()),
    due_at: nullable(instant()),
    overdue: Type.Boolean(),
    condition_out: nullable(like("good")),
    condition_in: nullable(like("good")),
    note: nullable(like("With charger")),
    returned_at: nullable(instant()),
    returned_late: Type.Boolean(),
    needs_inspection: Type.Boolean(),
    rev,
  },
  { title: "Checkout" },
);

/** A checkout as both surfaces show it. */
export function presentCheckout(checkout: Checkout): Type.Static<typeof checkoutSchema> {
  return {
    id: checkout.id,
    asset_id: checkout.assetId,
    status: checkoutStatus.name(checkout.status),
    issued_to_type: issuedToType.name(checkout.issuedToType),
    issued_to_id: orNull(checkout.issuedToId),
    issued_to_name: orNull(checkout.issuedToName),
    issued_at: presentInstant(checkout.issuedAt),
    due_at: presentInstant(checkout.dueAt),
    overdue: checkout.overdue,
    condition_out: orNull(checkout.conditionOut),
    condition_in: orNull(checkout.conditionIn),
    note: orNull(checkout.note),
    returned_at: presentInstant(checkout.returnedAt),
    returned_late: checkout.returnedLate,
    needs_inspection: checkout.needsInspection,
    rev: Number(checkout.rev),
  };
}

type Due = { case: "dueAt"; value: Timestamp } | { case: "dueOn"; value: string } | { case: undefined };

/** "2026-01-31" is the whole day, in the workspace's time zone; anything longer is an instant. */
export function parseDue(text: string | undefined, field: string): Due {
  if (text === undefined) return { case: undefined };
  if (text.length === "2026-01-31".length) return { case: "dueOn", value: text };
  return { case: "dueAt", value: toTimestamp(text, field) };
}
