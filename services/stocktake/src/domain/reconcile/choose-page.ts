/** A scanned code that is bound to an asset, and how often it was scanned. */
export type BoundCode = { assetId: string; scans: number };

/** The beginnings of the two lists after the last page, each in order of the asset's id. */
export type Ahead = {
  expectedIds: readonly string[];
  moreExpected: boolean;
  /** An asset with several tags has several codes. */
  codes: readonly BoundCode[];
  moreCodes: boolean;
};

/** A page of a reconcile: assets that are expected, scanned or both, in order of id. */
export type AssetPage = {
  assetIds: string[];
  /** Whether it is the last one. */
  last: boolean;
};

/**
 * Chooses the assets of a page: those of both lists up to the limits. Of an unfinished list, the assets above what was
 * read are unknown, and the last code may have further codes of its asset behind it. One asset may exceed the limit of
 * scans. The page is empty if the codes that were read are not all of their only asset.
 */
export function choosePage(
  { expectedIds, moreExpected, codes, moreCodes }: Ahead,
  limits: { assets: number; scans: number },
): AssetPage {
  const lastExpected = moreExpected ? expectedIds.at(-1) : undefined;
  const lastCode = moreCodes ? codes.at(-1)?.assetId : undefined;
  const scans = new Map<string, number>();
  for (const { assetId, scans: count } of codes) scans.set(assetId, (scans.get(assetId) ?? 0) + count);
  const known = [...new Set([...expectedIds, ...scans.keys()])]
    .sort(compareIds)
    .filter((id) => !(lastExpected && id > lastExpected) && !(lastCode && id >= lastCode));

  const assetIds: string[] = [];
  let total = 0;
  for (const id of known) {
    total += scans.get(id) ?? 0;
    if (assetIds.length === limits.assets || (total > limits.scans && assetIds.length > 0)) break;
    assetIds.push(id);
  }
  return { assetIds, last: !moreExpected && !moreCodes && assetIds.length === known.length };
}

/**
 * Chooses the codes of a page, which are in order of their canonical form. Of an unfinished list, the last form may have
 * further codes behind it. The page is empty if the codes that were read are not all of their only form.
 */
export function chooseCodes<Code extends { canonical: string }>(
  codes: readonly Code[],
  more: boolean,
): { codes: readonly Code[]; last: boolean } {
  if (!more) return { codes, last: true };
  const open = codes.at(-1)?.canonical;
  return { codes: codes.filter(({ canonical }) => canonical !== open), last: false };
}

/** The order of the database, which compares texts by their bytes. Ids are ASCII. */
const compareIds = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
