import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import { type CheckoutView, withOverdue } from "../../domain/custody/checkout.ts";

/** The open checkout of an asset. */
export async function openCheckout(
  { stores, now }: Context,
  { workspaceId, openCheckoutId }: Asset,
  session?: ClientSession,
): Promise<CheckoutView | undefined> {
  if (!openCheckoutId) return undefined;
  const checkout = await stores.checkouts.get(workspaceId, openCheckoutId, session);
  return checkout?.status === "open" ? withOverdue(checkout, now()) : undefined;
}
