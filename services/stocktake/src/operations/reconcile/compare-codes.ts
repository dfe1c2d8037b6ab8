import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { chooseCodes } from "../../domain/reconcile/choose-page.ts";
import { figuresOf } from "../../domain/reconcile/figures.ts";
import { judgeCodePage } from "../../domain/reconcile/judge-page.ts";
import { type ReconcileRun, unresolvedOf } from "../../domain/reconcile/run.ts";
import { sessionReconciled } from "../../published.ts";
import { toFact } from "./compare-assets.ts";
import { rowWriter } from "./row-writer.ts";
import type { ReconcileStep, SessionChunk } from "./step.ts";

const PAGE = 1_000;

/** After the subjects of assets, and after those of codes. */
const [CODES, END] = ["asset;", "\u{10ffff}"];

/** Judges a page of the codes without an asset. After the last one the session is reconciled. */
export async function compareCodes(context: Context, step: ReconcileStep): Promise<SessionChunk> {
  const { stores, clients } = context;
  const { session, run, signal } = step;
  const { id: sessionId, workspaceId, progress } = session;
  const { codes, last: isLast } = await readPage(context, step);
  const after = codes.at(-1)?.canonical ?? run.after;
  const keys = codes.map(({ key }) => key);
  const lastAssetIds = [...new Set(codes.flatMap(({ lastAssetId }) => lastAssetId ?? []))];
  const [scans, rows, assets] = await Promise.all([
    stores.scanReader.ofCodes(workspaceId, { sessionId, seq: run.seq }, keys),
    stores.variances.inRange(workspaceId, sessionId, run.after || CODES, isLast ? END : after),
    clients.resolveAssets(workspaceId, lastAssetIds, signal),
  ]);
  const gone = new Map(assets.filter((asset) => asset.gone).map((asset) => [asset.assetId, asset]));
  const { changes, tagsScanned } = judgeCodePage(
    codes.map(({ key, canonical, lastAssetId }) => ({ key, canonical, gone: gone.get(lastAssetId ?? "") })),
    scans.map(toFact),
    rows,
  );
  const details = new Map([...gone].map(([assetId, asset]) => [assetId, asset.details]));
  const writer = await rowWriter(context, step, { changes, details });
  const next = { ...run, after, tagsScanned: run.tagsScanned + tagsScanned, rows: writer.rows };
  if (!isLast) return { progress, set: { run: next }, save: writer.save };
  return reconciled(context, { ...step, run: next }, writer.save);
}

/** The next codes in order of their canonical form. Reads more if one form has more codes than a page. */
async function readPage({ stores }: Context, { session, run }: ReconcileStep) {
  const { id: sessionId, workspaceId } = session;
  for (let limit = PAGE; ; limit *= 2) {
    const codes = await stores.scannedCodes.listUnbound(workspaceId, sessionId, run.after, limit);
    const page = chooseCodes(codes, codes.length === limit);
    if (page.codes.length > 0 || page.last) return page;
  }
}

/** The last chunk: the figures of the run become those of the session. */
function reconciled(
  { stores, outbox, now }: Context,
  { session, run }: ReconcileStep,
  saveRows: (transaction: ClientSession) => Promise<void>,
): SessionChunk {
  const { total } = session.progress;
  return {
    status: "reconciled",
    progress: { done: total, total },
    set: { ...figures(session.expected, run), reconciledAt: now(), run: undefined },
    inc: { rev: 1, eventCount: 1 },
    async save(transaction, after) {
      await saveRows(transaction);
      await outbox.add(transaction, sessionReconciled(stores.sessions.toRecord(after), now()));
    },
  };
}

function figures(expected: number, { seq, until, tally, tagsScanned, rows }: ReconcileRun) {
  const { coverage, accuracy } = figuresOf(expected, tally);
  return {
    ...{ reconciledSeq: seq, tagsScanned, coverage, accuracy },
    excluded: tally.excluded,
    unexpectedInPlace: tally.unexpectedInPlace,
    unresolved: unresolvedOf(rows),
    result: { ...rows, seen: tally.seen, until },
  };
}
