import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Checkout } from "../../domain/custody/checkout.ts";
import type { Movement } from "../../domain/custody/movement.ts";
import { compareRows } from "../../domain/custody/position.ts";
import { fitPage } from "../../domain/custody/position-page.ts";
import { isInScope } from "../../domain/organisation/scope.ts";
import type { PlacedAsset } from "../../store/assets/asset-directory.ts";
import { type StatusesById, statusesById } from "../assets/statuses.ts";
import { expandScope, type NamedScope } from "./expand-scope.ts";

export type ListPositions = {
  workspaceId: string;
  assetIds: string[];
  window: { since: Date; until: Date };
  scope?: NamedScope | undefined;
};

export type AssetPositions = {
  asset: PlacedAsset;
  /** Undefined without a scope. */
  inScope?: boolean | undefined;
  movements: Movement[];
  checkouts: Checkout[];
};

export type PositionsPage = {
  positions: AssetPositions[];
  statuses: StatusesById;
  nextAssetId?: string | undefined;
};

/** Movements and checkouts of one page. */
export const MAX_ROWS = 10_000;

/**
 * Where assets were within a time, in order of id. A page is one snapshot, so that an asset's present place and its
 * movements agree.
 */
export async function listPositions(
  context: Context,
  input: ListPositions,
  call: Call,
  maxRows = MAX_ROWS,
): Promise<PositionsPage> {
  const { workspaceId, window } = input;
  // A scope's record may be deleted during a stock-take of it.
  const [scope, statuses] = await Promise.all([
    input.scope && expandScope(context, workspaceId, input.scope, { mayBeDeleted: true }),
    statusesById(context, workspaceId),
  ]);
  return context.mongo.transaction(call, async (session) => {
    const found = await context.stores.assetDirectory.getPlaced(
      workspaceId,
      [...new Set(input.assetIds)],
      session,
    );
    const { ids, next, ...rows } = await readRows(
      context,
      { workspaceId, ids: found.map(({ id }) => id), window, maxRows },
      session,
    );
    const movements = Map.groupBy(rows.movements, ({ assetId }) => assetId);
    const checkouts = Map.groupBy(rows.checkouts, ({ assetId }) => assetId);
    const positions = found.slice(0, ids.length).map((asset) => ({
      asset,
      inScope: input.scope && isInScope(asset, scope),
      movements: (movements.get(asset.id) ?? []).sort(compareRows),
      checkouts: checkouts.get(asset.id) ?? [],
    }));
    return { positions, statuses, nextAssetId: next };
  });
}

type Wanted = { workspaceId: string; ids: string[]; window: ListPositions["window"]; maxRows: number };
type Rows = { ids: string[]; next?: string | undefined; movements: Movement[]; checkouts: Checkout[] };

/** The rows of the first assets, as many as fit. An asset alone with too many rows is read whole. */
async function readRows({ stores }: Context, wanted: Wanted, session: ClientSession): Promise<Rows> {
  const { workspaceId, window, maxRows } = wanted;
  const { since, until } = window;
  const read = async (ids: string[], limit: number) => ({
    movements: await stores.movements.within(workspaceId, ids, window, limit, session),
    checkouts: await stores.checkouts.overlapping(workspaceId, ids, window, limit, session),
  });
  let rows = await read(wanted.ids, maxRows + 1);
  let page = fitPage(wanted.ids, [rows.movements, rows.checkouts], maxRows);
  if (page.ids.length === 0 && page.next !== undefined) {
    rows = await read([page.next], 0);
    page = { ids: [page.next], next: wanted.ids[1] };
  }
  const { ids } = page;
  const before = await stores.movements.lastAt(workspaceId, ids, new Date(since.getTime() - 1), session);
  const after = await stores.movements.firstAfter(workspaceId, ids, until, session);
  return { ...page, movements: [...before, ...rows.movements, ...after], checkouts: rows.checkouts };
}
