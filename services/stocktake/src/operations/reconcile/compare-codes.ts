import { figuresOf } from "../../domain/reconcile/figures.ts";
import { judgeCodePage } from "../../domain/reconcile/judge-page.ts";
import { type ReconcileRun, type RowTotals, unresolvedOf } from "../../domain/reconcile/run.ts";
import { sessionReconciled } from "../../published.ts";
import { toFact } from "./compare-assets.ts";
import type { ReconcileParts, ReconcileStep, SessionChunk } from "./parts.ts";
import { rowWriter } from "./row-writer.ts";

const PAGE = 1_000;

/** After the subjects of assets, and after those of codes. */
const [CODES, END] = ["asset;", "\u{10ffff}"];

/** Judges a page of the codes without an asset. After the last one the session is reconciled. */
export async function compareCodes(parts: ReconcileParts, step: ReconcileStep): Promise<SessionChunk> {
  const { stores, clients } = parts;
  const { session, run, signal } = step;
  const { id: sessionId, workspaceId, progress } = session;
  const codes = await stores.scannedCodes.listUnbound(workspaceId, sessionId, run.after, PAGE);
  const last = codes.at(-1);
  const isLast = codes.length < PAGE || last === undefined;
  const keys = codes.map(({ key }) => key);
  const lastAssetIds = [...new Set(codes.flatMap(({ lastAssetId }) => lastAssetId ?? []))];
  const [scans, rows, assets] = await Promise.all([
    stores.scanReader.ofCodes(workspaceId, { sessionId, seq: run.seq }, keys),
    stores.variances.inRange(workspaceId, sessionId, run.after || CODES, isLast ? END : last.key),
    clients.resolveAssets(workspaceId, lastAssetIds, signal),
  ]);
  const gone = new Map(assets.filter((asset) => asset.gone).map((asset) => [asset.assetId, asset]));
  const changes = judgeCodePage(
    codes.map(({ key, lastAssetId }) => ({ key, gone: gone.get(lastAssetId ?? "") })),
    scans.map(toFact),
    rows,
  );
  const details = new Map([...gone].map(([assetId, asset]) => [assetId, asset.details]));
  const writer = await rowWriter(parts, step, { changes, details });
  if (!isLast) {
    return {
      progress,
      set: { run: { ...run, after: last.key, rows: writer.rows } },
      save: writer.save,
    };
  }
  return reconciled(parts, step, writer);
}

/** The last chunk: the figures of the run become those of the session. */
function reconciled(
  { stores, outbox, now }: ReconcileParts,
  { session, run }: ReconcileStep,
  writer: Awaited<ReturnType<typeof rowWriter>>,
): SessionChunk {
  const { total } = session.progress;
  return {
    status: "reconciled",
    progress: { done: total, total },
    set: { ...figures(session.expected, run, writer.rows), reconciledAt: now(), run: undefined },
    inc: { rev: 1, eventCount: 1 },
    async save(transaction, after) {
      await writer.save(transaction);
      await outbox.add(transaction, sessionReconciled(stores.sessions.toRecord(after), now()));
    },
  };
}

function figures(expected: number, { seq, tally, tagsScanned }: ReconcileRun, rows: RowTotals) {
  const { coverage, accuracy } = figuresOf(expected, tally);
  return {
    ...{ reconciledSeq: seq, tagsScanned, coverage, accuracy },
    excluded: tally.excluded,
    unexpectedInPlace: tally.unexpectedInPlace,
    unresolved: unresolvedOf(rows),
    result: { ...rows, seen: tally.seen },
  };
}
