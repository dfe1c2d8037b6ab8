import { type ClientSession, type Index, listPage, type Mongo } from "@asset-register/mongo";
import type { Actor } from "../domain/actor.ts";
import type { Movement } from "../domain/movement.ts";
import type { PageOf, PageWanted } from "../domain/page.ts";
import { given } from "./fields.ts";

type MovementDocument = {
  _id: string;
  workspaceId: string;
  asset_id: string;
  from_location_id?: string | undefined;
  from_custodian_id?: string | undefined;
  to_location_id?: string | undefined;
  to_custodian_id?: string | undefined;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  at: Date;
  by: Actor;
  sequence: number;
};

/** Movements: append-only. */
export function movementStore(mongo: Mongo) {
  const movements = mongo.collection<MovementDocument>("movements");
  return {
    async insert(workspaceId: string, movement: Movement, session: ClientSession): Promise<void> {
      const document = { ...toDocument(movement), workspaceId };
      await movements.insertOne(document, { session, ignoreUndefined: true });
    },

    async list(
      workspaceId: string,
      filter: { assetId?: string | undefined },
      page: PageWanted,
    ): Promise<PageOf<Movement>> {
      const found = await listPage(movements, {
        workspaceId,
        filter: given({ asset_id: filter.assetId }),
        ...page,
      });
      return { ...found, items: found.items.map(fromDocument) };
    },
  };
}

function toDocument(movement: Movement): MovementDocument {
  return {
    _id: movement.id,
    workspaceId: movement.workspaceId,
    asset_id: movement.assetId,
    from_location_id: movement.fromLocationId,
    from_custodian_id: movement.fromCustodianId,
    to_location_id: movement.toLocationId,
    to_custodian_id: movement.toCustodianId,
    reason: movement.reason,
    ref: movement.ref,
    note: movement.note,
    at: movement.at,
    by: movement.by,
    sequence: movement.sequence,
  };
}

function fromDocument(row: MovementDocument): Movement {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    assetId: row.asset_id,
    fromLocationId: row.from_location_id,
    fromCustodianId: row.from_custodian_id,
    toLocationId: row.to_location_id,
    toCustodianId: row.to_custodian_id,
    reason: row.reason,
    ref: row.ref,
    note: row.note,
    at: row.at,
    by: row.by,
    sequence: row.sequence,
  };
}

export const movementIndexes: readonly Index[] = [
  { name: "list", key: { workspaceId: 1, _id: 1 } },
  { name: "asset", key: { workspaceId: 1, asset_id: 1, _id: 1 } },
];
