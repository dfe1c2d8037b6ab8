import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, newId, notFound, requireRev } from "@asset-register/runtime";
import type { Asset } from "../domain/asset.ts";
import {
  type Checkout,
  type CheckoutView,
  type Condition,
  checkoutChange,
  giveBack,
  returnDestination,
  viewAt,
} from "../domain/checkout.ts";
import { move } from "../domain/movement.ts";
import type { Register } from "../register.ts";
import type { Stores } from "../store/stores.ts";
import { recordChange } from "./record-change.ts";

export type ReturnCheckout = {
  target: { checkoutId: string } | { assetId: string };
  conditionIn?: Condition | undefined;
  note?: string | undefined;
  returnedAt?: Date | undefined;
  /** Of what `target` names. */
  ifRevIn: readonly bigint[];
};

/** Takes an asset back, and gives it back to whom it belonged to before. */
export function returnCheckout(register: Register, input: ReturnCheckout, call: Call): Promise<CheckoutView> {
  const { mongo, stores, now } = register;
  const { workspaceId } = call;
  const { conditionIn, note } = input;
  return mongo.transaction(call, async (session) => {
    const { checkout, before } = await findTarget(stores, workspaceId, input, session);
    const at = now();
    const returned = giveBack(checkout, { at: input.returnedAt, conditionIn, note, now: at });
    await stores.checkouts.save(workspaceId, returned, checkout.rev, session);
    const cause = {
      movementId: newId("mov"),
      reason: "return",
      ref: checkout.id,
      note,
      at,
      by: call.actor,
    };
    await recordChange(
      register,
      call,
      {
        before,
        at,
        move: move(before, returnDestination(before, checkout), cause),
        checkout: { change: checkoutChange(before, undefined), checkout: returned, action: "returned" },
      },
      session,
    );
    return viewAt(returned, at);
  });
}

async function findTarget(
  stores: Stores,
  workspaceId: string,
  { target, ifRevIn }: Pick<ReturnCheckout, "target" | "ifRevIn">,
  session: ClientSession,
): Promise<{ checkout: Checkout; before: Asset }> {
  if ("checkoutId" in target) {
    const checkout = await stores.checkouts.get(workspaceId, target.checkoutId, session);
    if (!checkout) throw notFound("There is no such checkout.", "checkout_id");
    requireRev(checkout.rev, ifRevIn);
    const before = await stores.assets.get(workspaceId, checkout.assetId, session);
    if (!before) throw notFound("The asset no longer exists.");
    return { checkout, before };
  }
  const before = await stores.assets.get(workspaceId, target.assetId, session);
  if (!before) throw notFound("There is no such asset.", "asset_id");
  requireRev(before.rev, ifRevIn);
  const { openCheckoutId } = before;
  const checkout = openCheckoutId
    ? await stores.checkouts.get(workspaceId, openCheckoutId, session)
    : undefined;
  if (!checkout) throw conflict("ASSET_NOT_CHECKED_OUT", "The asset is not checked out.");
  return { checkout, before };
}
