import { conflict, invalid } from "@asset-register/runtime";
import type { Actor } from "./actor.ts";
import type { Asset } from "./asset.ts";
import { type Destination, refuseDisposed } from "./movement.ts";
import type { Place } from "./place.ts";
import type { StatusClass } from "./status.ts";

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
  note?: string | undefined;
  returnedAt?: Date | undefined;
  returnedLate: boolean;
  needsInspection: boolean;
  /** Who answered for the asset before, when this checkout made `issuedToId` its custodian. */
  custodianBefore?: string | undefined;
  setCustodian: boolean;
  rev: number;
};

/** Whom an asset goes to; the record behind the id is already known to exist. */
export type Holder = { type: IssuedToType; id?: string | undefined; name?: string | undefined };

/** A checkout as it is read: `overdue` depends on the time of reading. */
export type CheckoutView = Checkout & { overdue: boolean };

/** Which checkouts a list is of; absent means any. */
export type CheckoutFilter = {
  assetId?: string | undefined;
  status?: "open" | "returned" | undefined;
  overdue?: boolean | undefined;
  issuedToId?: string | undefined;
};

/** The checkout as it stands at `now`. */
export function viewAt(checkout: Checkout, now: Date): CheckoutView {
  const overdue = checkout.status === "open" && checkout.dueAt !== undefined && checkout.dueAt < now;
  return { ...checkout, overdue };
}

/** Refuses an asset that is disposed of, out already, or in a status that is not deployable: CONFLICT. */
export function refuseIssue(asset: Asset, statusClass: StatusClass): void {
  refuseDisposed(asset);
  if (asset.openCheckoutId) throw conflict("ASSET_CHECKED_OUT", "The asset is checked out already.");
  if (statusClass !== "deployable") {
    throw conflict("ASSET_NOT_DEPLOYABLE", "The asset's status does not allow a checkout.");
  }
}

/** The move that issuing means: to a custodian or to a location, none otherwise. */
export function issueDestination(
  holder: Holder,
  location: ({ id: string } & Place) | undefined,
): Destination {
  if (holder.type === "custodian") return { custodianId: holder.id };
  return holder.type === "location" ? { location } : {};
}

/** The new checkout of an asset as it was before the move that issuing means. */
export function issue(
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

/** Whether an asset came back worse than it went out; unknown where either side was not told. */
export function cameBackWorse(out: Condition | undefined, back: Condition | undefined): boolean {
  return out !== undefined && back !== undefined && conditions.indexOf(back) > conditions.indexOf(out);
}

/**
 * The checkout once its asset is back.
 * CONFLICT CHECKOUT_RETURNED: it was back already. VALIDATION_FAILED: `at` is
 * before it went out or after `now`.
 */
export function giveBack(
  checkout: Checkout,
  given: { at?: Date | undefined; conditionIn?: Condition | undefined; note?: string | undefined; now: Date },
): Checkout {
  if (checkout.status === "returned") {
    throw conflict("CHECKOUT_RETURNED", "The checkout has been returned already.");
  }
  // The process that issued it may have had a clock that is ahead of this one's.
  const now = new Date(Math.max(given.now.getTime(), checkout.issuedAt.getTime()));
  const at = given.at ?? now;
  if (at < checkout.issuedAt || at > now) {
    throw invalid([{ field: "returned_at", message: "must lie between issued_at and now" }]);
  }
  return {
    ...checkout,
    status: "returned",
    returnedAt: at,
    conditionIn: given.conditionIn,
    note: given.note ?? checkout.note,
    returnedLate: checkout.dueAt !== undefined && at > checkout.dueAt,
    needsInspection: cameBackWorse(checkout.conditionOut, given.conditionIn),
    rev: checkout.rev + 1,
  };
}

/** Back to the custodian before, but only from the one that this checkout set: somebody may have moved it since. */
export function returnDestination(asset: Asset, checkout: Checkout): Destination {
  const stillTheirs = checkout.setCustodian && asset.custodianId === checkout.issuedToId;
  return stillTheirs ? { custodianId: checkout.custodianBefore ?? null } : {};
}

/** What putting a checkout on its asset, or taking it off, changes there: counted as the next `checkout` event. */
export function checkoutChange(asset: Asset, openCheckoutId: string | undefined): Partial<Asset> {
  return { openCheckoutId, checkoutCount: asset.checkoutCount + 1 };
}
