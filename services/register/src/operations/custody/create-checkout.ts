import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { endOfDay, newId, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import {
  assertCanCheckOut,
  type CheckoutView,
  type Condition,
  checkoutChange,
  type Holder,
  issueAsset,
  issueDestination,
  withOverdue,
} from "../../domain/custody/checkout.ts";
import { move } from "../../domain/custody/movement.ts";
import type { OrganisationRecord } from "../../domain/organisation/organisation.ts";
import { placeOf } from "../../domain/organisation/place.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";
import { getStatus } from "../assets/statuses.ts";
import { findReferences } from "../organisation/find-references.ts";

export type CreateCheckout = {
  assetId: string;
  holder: Holder;
  /** An instant, or the last day of the checkout. */
  due?: { at: Date } | { on: string } | undefined;
  conditionOut?: Condition | undefined;
  note?: string | undefined;
  /** Revisions of the asset. */
  ifRevIn: readonly number[];
};

/** Issues an asset. An issue to a custodian or a location also moves it there. */
export async function createCheckout(
  context: Context,
  input: CreateCheckout,
  call: Call,
): Promise<CheckoutView> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const { holder, conditionOut, note } = input;
  const dueAt = await dueInstant(context, workspaceId, input.due);

  return mongo.transaction(call, async (session) => {
    const record = await findHolder(context, workspaceId, holder, session);
    const location = record?.kind === "location" ? { ...placeOf(record), id: record.id } : undefined;
    const to = issueDestination(holder, location);
    const named = { ...holder, name: holder.name ?? record?.name };
    const found = await stores.assets.get(workspaceId, input.assetId, session);
    const before = requireFound(found, "asset", "asset_id");
    requireRev(before.rev, input.ifRevIn);
    const status = await getStatus(context, workspaceId, before.statusId, session);
    assertCanCheckOut(before, status.class);
    const at = now();
    const by = call.actor;
    const checkout = issueAsset(before, named, { id: newId("chk"), at, by, dueAt, conditionOut, note });
    await stores.checkouts.insert(workspaceId, checkout, session);
    const cause = { movementId: newId("mov"), reason: "checkout", ref: checkout.id, note, at, by };
    await saveAssetChange(
      context,
      call,
      {
        before,
        at,
        move: move(before, to, cause),
        checkout: { change: checkoutChange(before, checkout.id), checkout, action: "checked_out" },
      },
      session,
    );
    return withOverdue(checkout, at);
  });
}

async function findHolder(
  context: Context,
  workspaceId: string,
  holder: Holder,
  session: ClientSession,
): Promise<OrganisationRecord | undefined> {
  if (holder.type === "external") return undefined;
  const references = { issued_to_id: { id: holder.id, kind: holder.type } };
  const found = await findReferences(context, workspaceId, references, session);
  return found.issued_to_id;
}

async function dueInstant(
  context: Context,
  workspaceId: string,
  due: CreateCheckout["due"],
): Promise<Date | undefined> {
  if (!due || "at" in due) return due?.at;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  return endOfDay(due.on, timeZone);
}
