import type { AssetFact, ExpectedFact, ScanFact } from "./facts.ts";
import { addTallies, emptyTally, type Tally, tallyOf } from "./figures.ts";
import { assetSubject } from "./finding.ts";
import { type CodeCase, judgeCode } from "./judge-code.ts";
import {
  type Judged,
  judgeAgain,
  mergeFindings,
  type PreviousRow,
  type RowChange,
} from "./merge-findings.ts";

/** A scanned text, and the canonical form of the tag that it means. */
export type TextFact = { key: string; canonical: string };

/** All facts about the assets of a page, in any order. */
export type AssetPageFacts<Row extends PreviousRow> = {
  assetIds: readonly string[];
  expected: readonly ExpectedFact[];
  codes: readonly (TextFact & { assetId: string })[];
  /** Of these codes. */
  scans: readonly ScanFact[];
  assets: readonly AssetFact[];
  /** Rows of assets in the range of the page, those that are not in it too. */
  rows: readonly Row[];
  until: Date;
};

export type AssetPageResult<Row extends PreviousRow> = {
  changes: RowChange<Row>[];
  tally: Tally;
  scannedIds: string[];
  /** Tags of these assets that were scanned. */
  tagsScanned: number;
  /** Codes of assets that are gone. They are judged as codes later on. */
  unboundKeys: string[];
};

/** Judges the assets of a page. */
export function judgeAssetPage<Row extends PreviousRow>(facts: AssetPageFacts<Row>): AssetPageResult<Row> {
  const expectedById = new Map(facts.expected.map((one) => [one.assetId, one]));
  const assetsById = new Map(facts.assets.map((one) => [one.assetId, one]));
  const rowsBySubject = new Map(facts.rows.map((row) => [row.subject, row]));
  const codesByAsset = Map.groupBy(facts.codes, ({ assetId }) => assetId);
  const scansByKey = Map.groupBy(facts.scans, ({ key }) => key);

  let tally = emptyTally;
  const judged: Judged[] = [];
  const scannedIds: string[] = [];
  const unboundKeys: string[] = [];
  const tags = new Set<string>();
  for (const assetId of facts.assetIds) {
    const expected = expectedById.get(assetId);
    const asset = assetsById.get(assetId);
    const codes = codesByAsset.get(assetId) ?? [];
    const scans = codes.flatMap(({ key }) => scansByKey.get(key) ?? []);
    const input = { expected, asset, scans, until: facts.until };
    const { finding, seen, reopen, ...result } = judgeAgain(input, rowsBySubject.get(assetSubject(assetId)));
    tally = addTallies(tally, tallyOf({ ...result, finding }, expected !== undefined));
    if (finding) judged.push({ finding, seen, reopen });
    if (result.scanned) scannedIds.push(assetId);
    if (!asset || asset.gone) unboundKeys.push(...codes.map(({ key }) => key));
    else for (const { canonical } of codes) tags.add(canonical);
  }
  const changes = mergeFindings(facts.rows, judged);
  return { changes, tally, scannedIds, tagsScanned: tags.size, unboundKeys };
}

/**
 * Judges a page of codes that have no asset: all texts of a tag are one subject. `rows` are those of codes in the range of
 * the page.
 */
export function judgeCodePage<Row extends PreviousRow>(
  codes: readonly (TextFact & Pick<CodeCase, "gone">)[],
  scans: readonly ScanFact[],
  rows: readonly Row[],
): { changes: RowChange<Row>[]; tagsScanned: number } {
  const scansByKey = Map.groupBy(scans, ({ key }) => key);
  const tags = Map.groupBy(codes, ({ canonical }) => canonical);
  const judged = [...tags].flatMap(([canonical, texts]) => {
    const { gone } = texts.find((text) => text.gone) ?? {};
    return judgeCode({ canonical, gone, scans: texts.flatMap(({ key }) => scansByKey.get(key) ?? []) }) ?? [];
  });
  return { changes: mergeFindings(rows, judged), tagsScanned: tags.size };
}
