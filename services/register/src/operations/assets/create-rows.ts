import type { ClientSession, TransactionCall } from "@asset-register/mongo";
import { type Call, hasScope, holds } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import { attempt, isValid, type Judged } from "../../domain/assets/judged.ts";
import { assertCurrency, type GivenCurrency, stripFinance } from "../../domain/finance/finance.ts";
import { isNumberTaken, numberTaken } from "../../store/assets/assets.ts";
import { isValueTaken } from "../../store/assets/unique-values.ts";
import { judgeNewAssets } from "./judge-new-assets.ts";
import { reserveNumbers } from "./next-asset-number.ts";
import { getDefaultStatus } from "./statuses.ts";
import { type NewAsset, storeNewAssets } from "./store-new-assets.ts";

export type CreateAsset = {
  number?: string | undefined;
  fields: AssetFields;
  /** Values by key, as they were sent. */
  customFields?: Readonly<Record<string, unknown>> | undefined;
  currencies: readonly GivenCurrency[];
};

export type CreatedAsset = { asset: Asset; strippedFields: string[] };

/** A row, and the call that asks for it. Its trace is by default that of the current work. */
export type RowOfCall = { input: Judged<CreateAsset>; call: Call; traceparent?: string | undefined };

/** The asset, or why it was refused. */
export type CreateResult = Judged<CreatedAsset>;

/** How rows are written. Both functions are called in each attempt of the transaction; what one throws aborts it. */
export type Writing<T> = {
  /** The call of the rows, or what its calls have in common. */
  call: TransactionCall;
  /** Before anything else. */
  begin?(): void;
  /** When all rows are written. Returns the answer. */
  end(results: CreateResult[], session: ClientSession): T | Promise<T>;
};

/** How often a creation runs again after a race for a number or a unique value. */
const ATTEMPTS = 5;

/**
 * Creates the valid rows of a workspace in one transaction. A row that loses a race for a number or a unique value aborts it;
 * the next run finds what the other call has stored and refuses the row.
 */
export async function createRows<T>(
  context: Context,
  workspaceId: string,
  inputs: readonly RowOfCall[],
  { call, begin, end }: Writing<T>,
): Promise<T> {
  const [{ currency, numberPrefix }, status] = await Promise.all([
    requireWorkspace(context, workspaceId),
    getDefaultStatus(context, workspaceId),
  ]);
  const rows = inputs.map((row) => attempt(() => prepared(row, currency)));
  const unnumbered = rows.filter(isValid).filter(({ number }) => !number).length;
  const creation = { workspaceId, status, currency };

  for (let attempts = 1; ; attempts += 1) {
    const isChecked = attempts > 1 || unnumbered > 1;
    const reserved = await reserveNumbers(context, workspaceId, numberPrefix, unnumbered, isChecked);
    const numbered = withNumbers(rows, reserved);
    try {
      return await context.mongo.transaction(call, async (session) => {
        begin?.();
        const valid = numbered.filter(isValid);
        const { judged, rules } = await judgeNewAssets(context, creation, valid, session);
        const results = inOrder(numbered, judged);
        const created = results.filter(isValid);
        await storeNewAssets(context, workspaceId, created, { status, rules }, session);
        return await end(results, session);
      });
    } catch (error) {
      const isRace = isNumberTaken(error) || isValueTaken(error) || error instanceof ReservedNumberTaken;
      if (!isRace) throw error;
      if (attempts === ATTEMPTS) throw isValueTaken(error) ? error : numberTaken();
    }
  }
}

type Prepared = CreateAsset & Omit<NewAsset, "asset"> & { strippedFields: string[] };
type Numbered = Prepared & { number: string; isReserved: boolean };

/** A caller has given a number of the counter to another asset, after it was reserved. */
class ReservedNumberTaken extends Error {}

function prepared({ input, call, traceparent }: RowOfCall, currency: string): Prepared {
  if ("error" in input) throw input.error;
  const { principal, actor, requestId } = call;
  const mayWriteFinance = holds(principal, "finance") || hasScope(principal, "finance");
  const { fields, strippedFields } = stripFinance(input.fields, mayWriteFinance);
  if (mayWriteFinance) assertCurrency(input.currencies, currency);
  return { ...input, fields, strippedFields, cause: { actor, requestId }, traceparent };
}

function withNumbers(rows: readonly Judged<Prepared>[], reserved: readonly string[]): Judged<Numbered>[] {
  const next = reserved.values();
  return rows.map((row) => {
    if ("error" in row) return row;
    if (row.number) return { ...row, number: row.number, isReserved: false };
    return { ...row, number: next.next().value ?? "", isReserved: true };
  });
}

type Result = Judged<Numbered & CreatedAsset>;

/** The results of all rows. `judged` are those of the valid ones, in their order. */
function inOrder(rows: readonly Judged<Numbered>[], judged: readonly Judged<{ asset: Asset }>[]): Result[] {
  const next = judged.values();
  return rows.map((row) => {
    if ("error" in row) return row;
    const result = next.next().value;
    if (!result) throw new Error("a row was not judged");
    if (!("error" in result)) return { ...row, asset: result.asset };
    if (row.isReserved && result.error.code === "ASSET_NUMBER_TAKEN") throw new ReservedNumberTaken();
    return result;
  });
}
