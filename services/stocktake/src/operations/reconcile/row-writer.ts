import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { RowChange } from "../../domain/reconcile/merge-findings.ts";
import { addRow, type RowTotals } from "../../domain/reconcile/run.ts";
import { type AssetDetails, writeRows } from "../../domain/reconcile/write-rows.ts";
import type { Variance } from "../../domain/variance.ts";
import type { ReconcileStep } from "./step.ts";

type PageChanges = {
  changes: RowChange<Variance>[];
  details: ReadonlyMap<string, AssetDetails>;
};

/** Prepares the writes of a page: it reads the names of locations, and adds the rows to the sums of the run. */
export async function rowWriter(
  { stores, clients }: Context,
  { session, run, signal }: ReconcileStep,
  { changes, details }: PageChanges,
): Promise<{ rows: RowTotals; save(transaction: ClientSession): Promise<void> }> {
  const { id: sessionId, workspaceId } = session;
  const ids = new Set(
    changes.flatMap((change) => {
      if (!("judged" in change)) return [];
      const { expectedLocationId, effectiveLocationId } = change.judged.finding;
      return [expectedLocationId ?? [], effectiveLocationId ?? []].flat();
    }),
  );
  const locationNames = await clients.locationNames(workspaceId, [...ids], signal);
  const writes = writeRows(changes, {
    ...{ workspaceId, sessionId, locationNames, assets: details },
    newId: () => newId("var"),
  });
  return {
    rows: writes.counted.reduce(addRow, run.rows),
    save: (transaction) => stores.variances.write(workspaceId, writes, transaction),
  };
}
