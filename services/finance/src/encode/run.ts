import {
  type DepreciationRunSchema,
  RunLineKind,
  type RunLineSchema,
  RunStatus,
  type SkippedAssetSchema,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Run, SkippedAsset } from "../domain/runs/run.ts";
import { journalOfRun } from "../domain/runs/run-amounts.ts";
import type { RunLine } from "../domain/runs/run-line.ts";
import { describeDerivation } from "../domain/schedule/derivation.ts";
import { yearMonth } from "../domain/schedule/period.ts";
import { encodeJournal } from "./journal.ts";
import { bookNames } from "./names.ts";

const statusNames = enumNames(RunStatus);
const kindNames = enumNames(RunLineKind);

/** A run. In lists it is `short`: without warnings, skipped assets and journal, so that a page fits into a message. */
export function encodeRun(run: Run, { short = false } = {}): MessageInitShape<typeof DepreciationRunSchema> {
  const { id, book, period, currency, status, progress, stale, totals, skippedCount, error, rev } = run;
  const { createdAt, createdBy, postedAt, postedBy } = run;
  return {
    ...{ id, progress, stale, skippedCount, error, rev, ...yearMonth(period) },
    ...encodeInstants({ createdAt, postedAt }),
    book: bookNames.encode(book),
    status: statusNames.encode(status),
    totals: {
      ...{ assets: totals.assets, lines: totals.lines },
      current: encodeMoney(totals.current, currency),
      catchUp: encodeMoney(totals.catchUp, currency),
      impairment: encodeMoney(totals.impairment, currency),
    },
    ...(!short && {
      warnings: run.warnings,
      skipped: run.skipped.map(encodeSkip),
      journal: encodeJournal(journalOfRun(run.amounts), currency),
    }),
    createdBy: encodeActor(createdBy),
    postedBy: postedBy && encodeActor(postedBy),
  };
}

/** The derivation is made of the stored inputs. */
export function encodeRunLine(
  line: RunLine,
  { currency, digits }: { currency: string; digits: number },
): MessageInitShape<typeof RunLineSchema> {
  const { runId, assetId, period, kind, openingNbv, amount, closingNbv, inputs, fingerprint } = line;
  return {
    ...{ runId, assetId, fingerprint, period: yearMonth(period) },
    kind: kindNames.encode(kind),
    openingNbv: encodeMoney(openingNbv, currency),
    amount: encodeMoney(amount, currency),
    closingNbv: encodeMoney(closingNbv, currency),
    derivation: describeDerivation(inputs, amount, digits),
  };
}

export const encodeSkip = ({
  assetId,
  reason,
}: SkippedAsset): MessageInitShape<typeof SkippedAssetSchema> => ({
  assetId,
  reason,
});
