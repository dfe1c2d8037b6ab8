import type { Context } from "../../context.ts";
import { decodeCodeText } from "../../decode/code-text.ts";
import { type ScannedCode, scannedCodeId } from "../../domain/scanned-code.ts";
import { createPages, type Phase, type ReconcileStep } from "./step.ts";

/** Codes of one page: as many as tagging resolves in a call. */
const PAGE = 1_000;

/**
 * Asks tagging which assets a page of the scanned codes have now. Their answers are kept until the assets are judged,
 * in order of asset.
 */
export function createCodeResolution(context: Context): Phase {
  const { stores } = context;
  const pages = createPages((step) => readCodes(context, step));

  return async (step) => {
    const { session, run } = step;
    const { id: sessionId, workspaceId, progress } = session;
    const { counted, tags, known } = await pages.page(step);
    const last = counted.at(-1);
    const isLast = counted.length < PAGE || last === undefined;
    if (!isLast) pages.begin({ ...step, run: { ...run, after: last.key } });
    const codes = counted.map(({ key, scans }, index): ScannedCode => {
      const id = scannedCodeId(sessionId, key);
      const { assetId, lastAssetId, canonical } = tags[index] ?? {};
      return {
        id,
        workspaceId,
        sessionId,
        key,
        // Of a text that is no tag's, and from a release that did not answer the form: the text.
        canonical: canonical || key,
        scans,
        assetId,
        lastAssetId: assetId ? undefined : lastAssetId,
      };
    });
    const scans = counted.reduce((sum, code) => sum + code.scans, 0);
    return {
      progress: { done: progress.done + scans, total: progress.total },
      set: {
        run: { ...run, ...(isLast ? { phase: "judge_assets", after: "" } : { after: last.key }) },
      },
      async save(transaction) {
        const inserts = codes.filter(({ id }) => !known.has(id));
        const changed = codes.filter((code) => isChanged(known.get(code.id), code));
        await stores.scannedCodes.insertMany(workspaceId, inserts, transaction);
        await stores.scannedCodes.replaceMany(workspaceId, changed, transaction);
      },
    };
  };
}

/** The next page of codes, their tags, and what the last reconcile knew of them. */
async function readCodes({ stores, clients }: Context, { session, run, signal }: ReconcileStep) {
  const { id: sessionId, workspaceId } = session;
  const counted = await stores.scanReader.codesAfter(
    workspaceId,
    { sessionId, seq: run.seq },
    run.after,
    PAGE,
  );
  const ids = counted.map(({ key }) => scannedCodeId(sessionId, key));
  const texts = counted.map(({ key }) => decodeCodeText(key));
  const [tags, known] = await Promise.all([
    clients.resolveTags(workspaceId, texts, signal),
    stores.scannedCodes.getMany(workspaceId, ids),
  ]);
  return { counted, tags, known };
}

const isChanged = (before: ScannedCode | undefined, after: ScannedCode): boolean =>
  before !== undefined &&
  (before.canonical !== after.canonical ||
    before.assetId !== after.assetId ||
    before.lastAssetId !== after.lastAssetId ||
    before.scans !== after.scans);
