import type {
  CreateCheckoutRequest,
  CreateMovementRequest,
  ListCheckoutsRequest,
  ReturnCheckoutRequest,
} from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { limits } from "@asset-register/proto/limits";
import { decodeInstant, field, parse } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { CheckoutFilter } from "../domain/custody/checkout.ts";
import { ownReasons } from "../domain/custody/movement.ts";
import { checkoutStatusNames, conditionNames, issuedToTypeNames } from "../encode/custody.ts";
import type { CreateCheckout } from "../operations/custody/create-checkout.ts";
import type { CreateMovement } from "../operations/custody/create-movement.ts";
import type { ReturnCheckout } from "../operations/custody/return-checkout.ts";
import { calendarDate } from "./asset.ts";

const note = field.optionalText(limits.note);

const movement = z
  .object({
    assetId: field.id(),
    toLocationId: field.optionalId(),
    toCustodianId: field.optionalId(),
    reason: field
      .optionalText(limits.line)
      .refine((reason) => !ownReasons.some((own) => own === reason), `must not be ${ownReasons.join(", ")}`)
      .transform((reason) => reason ?? "movement"),
    ref: field.optionalText(limits.line),
    note,
    ifRevIn: z.array(z.number()),
  })
  .refine(({ toLocationId, toCustodianId }) => toLocationId || toCustodianId, {
    path: ["toLocationId"],
    message: "to_location_id or to_custodian_id is required",
  });

export function decodeCreateMovement(request: CreateMovementRequest): CreateMovement {
  return parse(movement, request);
}

const checkout = z
  .object({
    assetId: field.id(),
    issuedToType: field.enum(issuedToTypeNames),
    issuedToId: field.optionalId(),
    issuedToName: field.optionalText(limits.line),
    dueOn: calendarDate.optional(),
    conditionOut: field.optionalEnum(conditionNames),
    note,
    ifRevIn: z.array(z.number()),
  })
  .superRefine(({ issuedToType, issuedToId, issuedToName }, { addIssue }) => {
    const external = issuedToType === "external";
    const issue = (path: string, message: string) => addIssue({ code: "custom", path: [path], message });
    if (external && !issuedToName) issue("issuedToName", "is required");
    if (external && issuedToId) issue("issuedToId", "must be absent for an external holder");
    if (!external && !issuedToId) issue("issuedToId", "is required");
    if (!external && issuedToName) issue("issuedToName", "must be absent unless issued_to_type is external");
  });

export function decodeCreateCheckout(request: CreateCheckoutRequest): CreateCheckout {
  const { due } = request;
  const parsed = parse(checkout, { ...request, dueOn: due.case === "dueOn" ? due.value : undefined });
  const { dueOn, issuedToType: type, issuedToId: id, issuedToName: name, ...rest } = parsed;
  const dueAt = due.case === "dueAt" ? { at: decodeInstant(due.value) } : undefined;
  return {
    ...rest,
    // An external holder has a name, all others have a record.
    holder: type === "external" ? { type, name } : { type, id },
    due: dueOn ? { on: dueOn } : dueAt,
  };
}

const newReturn = z.object({
  checkoutId: field.optionalId(),
  assetId: field.optionalId(),
  conditionIn: field.optionalEnum(conditionNames),
  note,
  returnedAt: field.optionalInstant(),
  ifRevIn: z.array(z.number()),
});

export function decodeReturnCheckout(request: ReturnCheckoutRequest): ReturnCheckout {
  const { case: name, value } = request.target;
  const { checkoutId, assetId, ...rest } = parse(newReturn, {
    ...request,
    checkoutId: name === "checkoutId" ? value : undefined,
    assetId: name === "assetId" ? value : undefined,
  });
  const target = checkoutId ? { checkoutId } : assetId ? { assetId } : undefined;
  if (!target) throw invalid([{ field: "checkout_id", message: "is required" }]);
  return { ...rest, target };
}

const dueSoon = z.object({ dueWithinDays: field.integer({ max: limits.days }).optional() });

export function decodeCheckoutFilter(request: ListCheckoutsRequest): CheckoutFilter {
  const { assetId, status, overdue, issuedToId } = request;
  const { dueWithinDays } = parse(dueSoon, request);
  return { assetId, status: checkoutStatusNames.decode(status), overdue, issuedToId, dueWithinDays };
}
