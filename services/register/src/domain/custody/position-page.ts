/** Rows of several assets, in order of the asset's id. */
type Rows = readonly { assetId: string }[];

/** Which assets fit on a page. */
export type PositionPage = {
  /** Assets whose rows are complete, in order of id. Empty if the first one alone has too many rows. */
  ids: string[];
  /** The first asset that did not fit. */
  next?: string | undefined;
};

/**
 * The assets of a page of at most `max` rows. Each list was read up to `max + 1` rows, so the rows of its last asset may
 * be incomplete if it has that many.
 */
export function fitPage(ids: readonly string[], lists: readonly Rows[], max: number): PositionPage {
  const counts = new Map<string, number>();
  for (const { assetId } of lists.flat()) counts.set(assetId, (counts.get(assetId) ?? 0) + 1);
  const incomplete = new Set(lists.flatMap((rows) => (rows.length > max ? (rows[max]?.assetId ?? []) : [])));
  const fitting: string[] = [];
  let total = 0;
  for (const id of ids) {
    total += counts.get(id) ?? 0;
    if (total > max || incomplete.has(id)) return { ids: fitting, next: id };
    fitting.push(id);
  }
  return { ids: fitting };
}
