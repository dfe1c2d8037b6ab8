import {
  CheckoutStatus,
  IssuedToType as ProtoType,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type {
  CreateCheckoutRequest,
  CreateMovementRequest,
  ListCheckoutsRequest,
  ReturnCheckoutRequest,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { z } from "zod";
import { isCalendarDate } from "../domain/calendar.ts";
import { type CheckoutFilter, conditions, type Holder, type IssuedToType } from "../domain/checkout.ts";
import type { CreateCheckout } from "../operations/create-checkout.ts";
import type { CreateMovement } from "../operations/create-movement.ts";
import type { ReturnCheckout } from "../operations/return-checkout.ts";
import { optional, parse, reference, requiredReference } from "./parse.ts";

const note = optional(limits.note);
const condition = z.preprocess(
  (value) => value || undefined,
  z.enum(conditions, `must be one of ${conditions.join(", ")}`).optional(),
);
const instant = (timestamp: Timestamp | undefined) => timestamp && timestampDate(timestamp);

const movement = z
  .object({
    assetId: requiredReference,
    toLocationId: reference,
    toCustodianId: reference,
    reason: optional(limits.line).transform((reason) => reason ?? "movement"),
    ref: optional(limits.line),
    note,
  })
  .refine(({ toLocationId, toCustodianId }) => toLocationId || toCustodianId, {
    path: ["toLocationId"],
    message: "to_location_id or to_custodian_id is required",
  });

export function decodeCreateMovement(request: CreateMovementRequest): CreateMovement {
  return { ...parse(movement, request), ifRevIn: request.ifRevIn };
}

const types: Partial<Record<ProtoType, IssuedToType>> = {
  [ProtoType.CUSTODIAN]: "custodian",
  [ProtoType.DEPARTMENT]: "department",
  [ProtoType.LOCATION]: "location",
  [ProtoType.EXTERNAL]: "external",
};

const holderTypes = ["custodian", "department", "location", "external"] as const;

const checkout = z
  .object({
    assetId: requiredReference,
    issuedToType: z.enum(holderTypes, `must be one of ${holderTypes.join(", ")}`),
    issuedToId: reference,
    issuedToName: optional(limits.line),
    dueOn: z.string().refine(isCalendarDate, "must be a date, YYYY-MM-DD").optional(),
    conditionOut: condition,
    note,
  })
  .refine(({ issuedToType, issuedToId }) => issuedToType === "external" || issuedToId, {
    path: ["issuedToId"],
    message: "is required",
  })
  .refine(({ issuedToType, issuedToName }) => issuedToType !== "external" || issuedToName, {
    path: ["issuedToName"],
    message: "is required",
  });

export function decodeCreateCheckout(request: CreateCheckoutRequest): CreateCheckout {
  const { due } = request;
  const parsed = parse(checkout, {
    ...request,
    issuedToType: types[request.issuedToType],
    dueOn: due.case === "dueOn" ? due.value : undefined,
  });
  const { assetId, conditionOut, dueOn, issuedToType: type, issuedToId: id, issuedToName: name } = parsed;
  // A name belongs to those without a record, a record to all others.
  const holder: Holder = type === "external" ? { type, name } : { type, id };
  const dueAt = due.case === "dueAt" ? { at: timestampDate(due.value) } : undefined;
  const { note } = parsed;
  const { ifRevIn } = request;
  return { assetId, holder, due: dueOn ? { on: dueOn } : dueAt, conditionOut, note, ifRevIn };
}

const giveBack = z.object({ checkoutId: reference, assetId: reference, conditionIn: condition, note });

export function decodeReturnCheckout(request: ReturnCheckoutRequest): ReturnCheckout {
  const { case: field, value = "" } = request.target;
  const { checkoutId, assetId, ...rest } = parse(giveBack, {
    ...request,
    checkoutId: field === "checkoutId" ? value : "",
    assetId: field === "assetId" ? value : "",
  });
  const target = checkoutId ? { checkoutId } : assetId ? { assetId } : undefined;
  if (!target) throw invalid([{ field: "checkout_id", message: "is required" }]);
  return { ...rest, target, returnedAt: instant(request.returnedAt), ifRevIn: request.ifRevIn };
}

export function decodeCheckoutFilter(request: ListCheckoutsRequest): CheckoutFilter {
  const statuses = { [CheckoutStatus.OPEN]: "open", [CheckoutStatus.RETURNED]: "returned" } as const;
  return {
    assetId: request.assetId || undefined,
    status: request.status === CheckoutStatus.UNSPECIFIED ? undefined : statuses[request.status],
    overdue: request.overdue,
    issuedToId: request.issuedToId || undefined,
  };
}
