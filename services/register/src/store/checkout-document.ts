import type { Actor } from "../domain/actor.ts";
import type { Checkout, Condition, IssuedToType } from "../domain/checkout.ts";

/** A checkout as it is stored. */
export type CheckoutDocument = {
  _id: string;
  workspaceId: string;
  asset_id: string;
  status: "open" | "returned";
  issued_to_type: IssuedToType;
  issued_to_id?: string | undefined;
  issued_to_name?: string | undefined;
  issued_at: Date;
  issued_by: Actor;
  due_at?: Date | undefined;
  condition_out?: Condition | undefined;
  condition_in?: Condition | undefined;
  note?: string | undefined;
  returned_at?: Date | undefined;
  returned_late: boolean;
  needs_inspection: boolean;
  custodian_before?: string | undefined;
  set_custodian: boolean;
  rev: number;
};

export function toDocument(checkout: Checkout): CheckoutDocument {
  return {
    _id: checkout.id,
    workspaceId: checkout.workspaceId,
    asset_id: checkout.assetId,
    status: checkout.status,
    issued_to_type: checkout.issuedToType,
    issued_to_id: checkout.issuedToId,
    issued_to_name: checkout.issuedToName,
    issued_at: checkout.issuedAt,
    issued_by: checkout.issuedBy,
    due_at: checkout.dueAt,
    condition_out: checkout.conditionOut,
    condition_in: checkout.conditionIn,
    note: checkout.note,
    returned_at: checkout.returnedAt,
    returned_late: checkout.returnedLate,
    needs_inspection: checkout.needsInspection,
    custodian_before: checkout.custodianBefore,
    set_custodian: checkout.setCustodian,
    rev: checkout.rev,
  };
}

export function fromDocument(row: CheckoutDocument): Checkout {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    assetId: row.asset_id,
    status: row.status,
    issuedToType: row.issued_to_type,
    issuedToId: row.issued_to_id,
    issuedToName: row.issued_to_name,
    issuedAt: row.issued_at,
    issuedBy: row.issued_by,
    dueAt: row.due_at,
    conditionOut: row.condition_out,
    conditionIn: row.condition_in,
    note: row.note,
    returnedAt: row.returned_at,
    returnedLate: row.returned_late,
    needsInspection: row.needs_inspection,
    custodianBefore: row.custodian_before,
    setCustodian: row.set_custodian,
    rev: row.rev,
  };
}
