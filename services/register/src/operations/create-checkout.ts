import type { Call } from "@asset-register/rpc";
import { newId, notFound, requireRev } from "@asset-register/runtime";
import { endOfDay } from "../domain/calendar.ts";
import {
  type CheckoutView,
  type Condition,
  checkoutChange,
  type Holder,
  issue,
  issueDestination,
  refuseIssue,
  viewAt,
} from "../domain/checkout.ts";
import { move } from "../domain/movement.ts";
import type { OrganisationRecord } from "../domain/organisation.ts";
import { placeOf } from "../domain/place.ts";
import type { Register } from "../register.ts";
import { findReferences } from "./find-references.ts";
import { existing } from "./know-statuses.ts";
import { knowWorkspace } from "./know-workspace.ts";
import { recordChange } from "./record-change.ts";

export type CreateCheckout = {
  assetId: string;
  holder: Holder;
  /** An instant, or the last day that the asset may be out. */
  due?: { at: Date } | { on: string } | undefined;
  conditionOut?: Condition | undefined;
  note?: string | undefined;
  /** Of the asset. */
  ifRevIn: readonly bigint[];
};

/** Issues an asset. To a custodian or a location it moves there too. */
export async function createCheckout(
  register: Register,
  input: CreateCheckout,
  call: Call,
): Promise<CheckoutView> {
  const { mongo, stores, now } = register;
  const { workspaceId } = call;
  const { holder, conditionOut, note } = input;
  const [record, dueAt] = await Promise.all([
    findHolder(register, workspaceId, holder),
    dueInstant(register, workspaceId, input.due),
  ]);
  const location = record?.kind === "location" ? { ...placeOf(record), id: record.id } : undefined;
  const to = issueDestination(holder, location);
  const named = { ...holder, name: holder.name ?? record?.name };

  return mongo.transaction(call, async (session) => {
    const before = await stores.assets.get(workspaceId, input.assetId, session);
    if (!before) throw notFound("There is no such asset.", "asset_id");
    requireRev(before.rev, input.ifRevIn);
    const status = await stores.statuses.get(workspaceId, before.statusId, session);
    refuseIssue(before, existing(status, workspaceId, before.statusId).class);
    const at = now();
    const by = call.actor;
    const checkout = issue(before, named, { id: newId("chk"), at, by, dueAt, conditionOut, note });
    await stores.checkouts.insert(workspaceId, checkout, session);
    const cause = { movementId: newId("mov"), reason: "checkout", ref: checkout.id, note, at, by };
    await recordChange(
      register,
      call,
      {
        before,
        at,
        move: move(before, to, cause),
        checkout: { change: checkoutChange(before, checkout.id), checkout, action: "checked_out" },
      },
      session,
    );
    return viewAt(checkout, at);
  });
}

async function findHolder(
  { stores }: Register,
  workspaceId: string,
  holder: Holder,
): Promise<OrganisationRecord | undefined> {
  if (holder.type === "external") return undefined;
  const found = await findReferences(stores.organisation, workspaceId, {
    issued_to_id: { id: holder.id, kind: holder.type },
  });
  return found.issued_to_id;
}

async function dueInstant(
  { stores }: Register,
  workspaceId: string,
  due: CreateCheckout["due"],
): Promise<Date | undefined> {
  if (!due || "at" in due) return due?.at;
  const { timeZone } = await knowWorkspace(stores.workspaces, workspaceId);
  return endOfDay(due.on, timeZone);
}
