import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import type { Run } from "../../domain/runs/run.ts";
import type { RunChangedAsset } from "../../domain/runs/run-line.ts";
import type { CarriedProfile } from "../../store/profiles/profiles.ts";
import { makeMissingProfiles } from "../profiles/make-missing-profiles.ts";

/** The inputs of the computation of a group of assets. */
export type RunInputs = {
  assets: readonly KnownAsset[];
  profiles: ReadonlyMap<string, CarriedProfile>;
  /** Assets without a profile whose values make no valid one. */
  invalid: ReadonlySet<string>;
  /** Changes that the assets and profiles have already: they need no second computing. */
  changed: RunChangedAsset[];
};

type Readers = { changed(): Promise<RunChangedAsset[]>; assets(): Promise<KnownAsset[]> };

/** Reads at most 500 assets with their profiles of a run's book. Those of book `book` that are missing are made. */
export async function readInputs(
  context: Context,
  { workspaceId, book }: Run,
  readers: Readers,
): Promise<RunInputs> {
  const found = await read();
  const missing = found.assets.filter(
    ({ id, deletedAt, disposal }) =>
      deletedAt === undefined && disposal === undefined && !found.profiles.has(id),
  );
  if (book !== "book" || missing.length === 0) return { ...found, invalid: new Set() };
  const invalid = await makeMissingProfiles(context, { workspaceId, assets: missing });
  return { ...(await read()), invalid };

  async function read() {
    // First: a change that is committed after this is computed again.
    const changed = await readers.changed();
    const assets = await readers.assets();
    const ids = assets.map(({ id }) => id);
    return { changed, assets, profiles: await context.stores.profiles.ofAssets(workspaceId, book, ids) };
  }
}
