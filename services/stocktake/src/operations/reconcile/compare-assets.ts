import type { Context } from "../../context.ts";
import { choosePage } from "../../domain/reconcile/choose-page.ts";
import type { ScanFact } from "../../domain/reconcile/facts.ts";
import { addTallies } from "../../domain/reconcile/figures.ts";
import { assetSubject } from "../../domain/reconcile/finding.ts";
import { judgeAssetPage } from "../../domain/reconcile/judge-page.ts";
import { scanTime } from "../../domain/scan.ts";
import type { ScannedCode } from "../../domain/scanned-code.ts";
import type { ExpectedRow } from "../../store/expected-assets.ts";
import type { ReadScan } from "../../store/scan-reader.ts";
import { rowWriter } from "./row-writer.ts";
import { createPages, type Phase, type ReconcileStep } from "./step.ts";

/** Of one page: as many assets as register resolves in a call, and a few scans each. */
const LIMITS = { assets: 1_000, scans: 10_000 };

/** After all ids of assets. */
const END = "\u{10ffff}";

/**
 * Judges a page of the assets that are expected, scanned or both: the two lists are merged in order of asset, and register
 * says where these assets were.
 */
export function createAssetComparison(context: Context): Phase {
  const { stores } = context;
  const pages = createPages((step) => readFacts(context, step));

  return async (step) => {
    const { session, run } = step;
    const { workspaceId, progress } = session;
    const { page, scans, rows, counted } = await pages.page(step);
    const { assetIds, expected, codes } = page;
    const after = assetIds.at(-1) ?? run.after;
    if (!page.last) pages.begin({ ...step, run: { ...run, after } });
    const result = judgeAssetPage({
      ...{ assetIds, expected, scans, rows, until: run.until },
      codes: codes.flatMap(({ key, canonical, assetId }) =>
        assetId === undefined ? [] : [{ key, canonical, assetId }],
      ),
      assets: counted.map(({ fact }) => fact),
    });
    const details = new Map(counted.map(({ fact, details }) => [fact.assetId, details]));
    const writer = await rowWriter(context, step, { changes: result.changes, details });
    return {
      progress: { done: progress.done + expected.length, total: progress.total },
      set: {
        run: {
          ...run,
          tally: addTallies(run.tally, result.tally),
          tagsScanned: run.tagsScanned + result.tagsScanned,
          rows: writer.rows,
          ...(page.last ? { phase: "judge_codes", after: "" } : { after }),
        },
      },
      async save(transaction) {
        await writer.save(transaction);
        const unbound = codes.filter(({ key }) => result.unboundKeys.includes(key)).map(withoutAsset);
        await stores.scannedCodes.replaceMany(workspaceId, unbound, transaction);
        const scanned = new Set(result.scannedIds);
        const changed = expected.filter((row) => row.scanned !== scanned.has(row.assetId));
        await stores.expectedAssets.setScanned(workspaceId, changed, transaction);
      },
    };
  };
}

/** All facts about the next page of assets. */
async function readFacts(context: Context, step: ReconcileStep) {
  const { stores, clients } = context;
  const { session, run, signal } = step;
  const { id: sessionId, workspaceId } = session;
  const page = await readPage(context, step);
  const { assetIds, codes } = page;
  const keys = codes.map(({ key }) => key);
  const [stored, rows] = await Promise.all([
    stores.scanReader.ofCodes(workspaceId, { sessionId, seq: run.seq }, keys),
    stores.variances.inRange(
      workspaceId,
      sessionId,
      assetSubject(run.after),
      assetSubject(page.last ? END : (assetIds.at(-1) ?? "")),
    ),
  ]);
  const scans = stored.map(toFact);
  const window = windowOf(scans, run.until);
  const query = { assetIds, ...window, scope: session, sessionId };
  return { page, scans, rows, counted: await clients.positionsOf(workspaceId, query, signal) };
}

type Page = { assetIds: string[]; last: boolean; expected: ExpectedRow[]; codes: ScannedCode[] };

/** The next assets of both lists. Reads more if one asset has more codes than a page. */
async function readPage({ stores }: Context, { session, run }: ReconcileStep): Promise<Page> {
  const { id: sessionId, workspaceId } = session;
  for (let limit = LIMITS.assets; ; limit *= 2) {
    const [expected, codes] = await Promise.all([
      stores.expectedAssets.listAfter(workspaceId, sessionId, run.after, limit),
      stores.scannedCodes.listBound(workspaceId, sessionId, run.after, limit),
    ]);
    const { assetIds, last } = choosePage(
      {
        expectedIds: expected.map(({ assetId }) => assetId),
        moreExpected: expected.length === limit,
        codes: codes.flatMap(({ assetId, scans }) => (assetId === undefined ? [] : [{ assetId, scans }])),
        moreCodes: codes.length === limit,
      },
      LIMITS,
    );
    if (assetIds.length === 0 && !last) continue;
    const ids = new Set<string | undefined>(assetIds);
    return {
      ...{ assetIds, last },
      expected: expected.filter(({ assetId }) => ids.has(assetId)),
      codes: codes.filter(({ assetId }) => ids.has(assetId)),
    };
  }
}

/** From the earliest scan of the page to the recorded time. The process that received a scan may be a moment ahead. */
function windowOf(scans: readonly ScanFact[], until: Date): { since: Date; until: Date } {
  let [first, last] = [until, until];
  for (const { at } of scans) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  return { since: first, until: last };
}

export const toFact = ({ id, normalised, ...scan }: ReadScan): ScanFact => ({
  ...{ id, key: normalised, code: scan.code, epc: scan.epc, locationId: scan.locationId },
  ...{ deviceId: scan.deviceId, at: scanTime(scan), receivedAt: scan.receivedAt },
});

/** The code of an asset that no longer exists is judged as a code. */
const withoutAsset = ({ assetId, ...code }: ScannedCode): ScannedCode => ({ ...code, lastAssetId: assetId });
