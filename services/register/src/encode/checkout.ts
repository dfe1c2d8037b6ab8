import {
  CheckoutSchema,
  CheckoutStatus,
  type Checkout as ProtoCheckout,
  IssuedToType as ProtoType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { create } from "@bufbuild/protobuf";
import type { CheckoutView, IssuedToType } from "../domain/checkout.ts";
import { encodeInstant } from "./common.ts";

const types = {
  custodian: ProtoType.CUSTODIAN,
  department: ProtoType.DEPARTMENT,
  location: ProtoType.LOCATION,
  external: ProtoType.EXTERNAL,
} as const satisfies Record<IssuedToType, ProtoType>;

export function encodeCheckout(checkout: CheckoutView): ProtoCheckout {
  return create(CheckoutSchema, {
    id: checkout.id,
    assetId: checkout.assetId,
    status: checkout.status === "open" ? CheckoutStatus.OPEN : CheckoutStatus.RETURNED,
    issuedToType: types[checkout.issuedToType],
    issuedToId: checkout.issuedToId,
    issuedToName: checkout.issuedToName,
    issuedAt: encodeInstant(checkout.issuedAt),
    dueAt: encodeInstant(checkout.dueAt),
    conditionOut: checkout.conditionOut,
    conditionIn: checkout.conditionIn,
    note: checkout.note,
    returnedAt: encodeInstant(checkout.returnedAt),
    returnedLate: checkout.returnedLate,
    needsInspection: checkout.needsInspection,
    overdue: checkout.overdue,
    rev: BigInt(checkout.rev),
  });
}
