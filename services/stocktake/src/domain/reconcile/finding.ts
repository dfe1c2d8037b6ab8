import type { Variance } from "../variance.ts";
import type { ScanFact } from "./facts.ts";

/** The result of a reconcile for one subject. Two equal findings are the same variance. */
export type Finding = Pick<
  Variance,
  "subject" | "kind" | "reason" | "assetId" | "expectedLocationId" | "effectiveLocationId" | "checkoutId"
>;

/** The scan that decided a finding. A later scan with the same result is no other variance. */
export type Seen = Pick<Variance, "code" | "epc" | "lastScannedAt" | "deviceId">;

export const seenIn = ({ code, epc, at, deviceId }: ScanFact): Seen => ({
  ...{ code, epc, deviceId },
  lastScannedAt: at,
});

/** Subjects of assets. They sort before those of codes, in the order of the assets' ids. */
export const assetSubject = (assetId: string): string => `asset:${assetId}`;

/** Expected assets that are in place need no decision, unless they were lost. */
export const needsResolution = ({ kind, reason }: Pick<Finding, "kind" | "reason">): boolean =>
  kind !== "found" || reason !== undefined;
