import type { Stores } from "../../context.ts";
import { type Position, positionAt } from "../../domain/custody/position.ts";

/** A context has them. */
type PositionStores = {
  movements: Pick<Stores["movements"], "lastAt" | "firstAfter">;
  history: Pick<Stores["history"], "lastStatusAt" | "firstStatusAfter">;
};

/** Place and status of assets at an instant, by id. It reads at most four rows of each asset. */
export async function positionsAt(
  { stores: { movements, history } }: { stores: PositionStores },
  workspaceId: string,
  assets: readonly (Position & { id: string })[],
  at: Date,
): Promise<Map<string, Position>> {
  const ids = assets.map(({ id }) => id);
  const [last, next, lastStatus, nextStatus] = await Promise.all([
    movements.lastAt(workspaceId, ids, at),
    movements.firstAfter(workspaceId, ids, at),
    history.lastStatusAt(workspaceId, ids, at),
    history.firstStatusAfter(workspaceId, ids, at),
  ]);
  const moved = Map.groupBy([...last, ...next], ({ assetId }) => assetId);
  const changed = Map.groupBy([...lastStatus, ...nextStatus], ({ assetId }) => assetId);
  return new Map(
    assets.map((asset) => [
      asset.id,
      positionAt(at, asset, {
        movements: moved.get(asset.id) ?? [],
        statuses: changed.get(asset.id) ?? [],
      }),
    ]),
  );
}
