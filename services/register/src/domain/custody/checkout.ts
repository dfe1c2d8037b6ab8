import type { Actor } from "@asset-register/rpc";
import { conflict, invalid } from "@asset-register/runtime";
import type { Asset } from "../assets/asset.ts";
import type { StatusClass } from "../assets/status.ts";
import type { Place } from "../organisation/place.ts";
import { assertNotDisposed, type Destination } from "./movement.ts";

export type IssuedToType = "custodian" | "department" | "location" | "external";

/** How an asset is, from best to worst. */
export const conditions = ["new", "good", "fair", "poor", "damaged", "not_working"] as const;
export type Condition = (typeof conditions)[number];

export type Checkout = {
  id: string;
  workspaceId: string;
  assetId: string;
  status: "open" | "returned";
  issuedToType: IssuedToType;
  issuedToId?: string | undefined;
  issuedToName?: string | undefined;
  issuedAt: Date;
  issuedBy: Actor;
  dueAt?: Date | undefined;
  conditionOut?: Condition | undefined;
  conditionIn?: Condition | undefined;
  /** Of the issue. */
  note?: string | undefined;
  /** Of the return. */
  noteIn?: string | undefined;
  returnedAt?: Date | undefined;
  returnedLate: boolean;
  needsInspection: boolean;
  /** The custodian before this checkout. */
  custodianBefore?: string | undefined;
  /** Whether this checkout made `issuedToId` the custodian. */
  setCustodian: boolean;
  rev: number;
};

/** Whom an asset is issued to. */
export type Holder = { type: IssuedToType; id?: string | undefined; name?: string | undefined };

/** A checkout as callers read it: `overdue` depends on the time of reading. */
export type CheckoutView = Checkout & { overdue: boolean };

/** Which checkouts a list has; absent means any. */
export type CheckoutFilter = {
  assetId?: string | undefined;
  status?: "open" | "returned" | undefined;
  overdue?: boolean | undefined;
  /** Open and due before this many days have passed, overdue ones included. */
  dueWithinDays?: number | undefined;
  issuedToId?: string | undefined;
};

export function withOverdue(checkout: Checkout, now: Date): CheckoutView {
  const overdue = checkout.status === "open" && checkout.dueAt !== undefined && checkout.dueAt < now;
  return { ...checkout, overdue };
}

/** @throws AppError ASSET_DISPOSED, ASSET_CHECKED_OUT, ASSET_NOT_DEPLOYABLE */
export function assertCanCheckOut(asset: Asset, statusClass: StatusClass): void {
  assertNotDisposed(asset);
  if (asset.openCheckoutId)
    throw conflict("ASSET_CHECKED_OUT", "The asset is already checked out.", [
      { field: "checkout_id", message: asset.openCheckoutId },
    ]);
  if (statusClass !== "deployable") {
    throw conflict("ASSET_NOT_DEPLOYABLE", "The asset's status does not allow a checkout.", [
      { field: "status_id", message: asset.statusId },
    ]);
  }
}

/** Where an issue moves the asset: to a custodian or a location, otherwise nowhere. */
export function issueDestination(
  holder: Holder,
  location: ({ id: string } & Place) | undefined,
): Destination {
  if (holder.type === "custodian") return { custodianId: holder.id };
  return holder.type === "location" ? { location } : {};
}

/** The new checkout of an asset, given as it was before the issue moved it. */
export function issueAsset(
  asset: Asset,
  holder: Holder,
  given: {
    id: string;
    at: Date;
    by: Actor;
    dueAt?: Date | undefined;
    conditionOut?: Condition | undefined;
    note?: string | undefined;
  },
): Checkout {
  return {
    id: given.id,
    workspaceId: asset.workspaceId,
    assetId: asset.id,
    status: "open",
    issuedToType: holder.type,
    issuedToId: holder.id,
    issuedToName: holder.name,
    issuedAt: given.at,
    issuedBy: given.by,
    dueAt: given.dueAt,
    conditionOut: given.conditionOut,
    note: given.note,
    returnedLate: false,
    needsInspection: false,
    custodianBefore: asset.custodianId,
    setCustodian: holder.type === "custodian" && holder.id !== asset.custodianId,
    rev: 1,
  };
}

/** Whether an asset came back in a worse condition. False where one of the two is not known. */
export function cameBackWorse(out: Condition | undefined, back: Condition | undefined): boolean {
  return out !== undefined && back !== undefined && conditions.indexOf(back) > conditions.indexOf(out);
}

/**
 * The checkout after its return.
 * @throws AppError CHECKOUT_RETURNED; VALIDATION_FAILED when `at` is before the issue or after `now`
 */
export function returnAsset(
  checkout: Checkout,
  given: { at?: Date | undefined; conditionIn?: Condition | undefined; note?: string | undefined; now: Date },
): Checkout {
  if (checkout.status === "returned") {
    throw conflict("CHECKOUT_RETURNED", "The checkout was already returned.", [
      { field: "checkout_id", message: checkout.id },
    ]);
  }
  // The clock of the process that issued it may be ahead of this one.
  const now = new Date(Math.max(given.now.getTime(), checkout.issuedAt.getTime()));
  const at = given.at ?? now;
  if (at < checkout.issuedAt || at > now) {
    throw invalid([{ field: "returned_at", message: "must be between issued_at and now" }]);
  }
  return {
    ...checkout,
    status: "returned",
    returnedAt: at,
    conditionIn: given.conditionIn,
    noteIn: given.note,
    returnedLate: checkout.dueAt !== undefined && at > checkout.dueAt,
    needsInspection: cameBackWorse(checkout.conditionOut, given.conditionIn),
    rev: checkout.rev + 1,
  };
}

/** Back to the earlier custodian, unless another move has changed the custodian since the issue. */
export function returnDestination(asset: Asset, checkout: Checkout): Destination {
  const stillTheirs = checkout.setCustodian && asset.custodianId === checkout.issuedToId;
  return stillTheirs ? { custodianId: checkout.custodianBefore ?? null } : {};
}

/** The fields of the asset that an issue or a return changes; the count is the sequence of the `checkout` event. */
export function checkoutChange(asset: Asset, openCheckoutId: string | undefined): Partial<Asset> {
  return { openCheckoutId, checkoutCount: asset.checkoutCount + 1 };
}
