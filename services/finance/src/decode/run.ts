import type {
  CreateRunRequest,
  ListRunLinesRequest,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { limits } from "@asset-register/proto/limits";
import { field, type PageQuery, pageRequest, parse } from "@asset-register/rpc";
import { z } from "zod";
import { periodOfYearMonth } from "../domain/schedule/period.ts";
import { bookNames } from "../encode/names.ts";
import type { NewRun } from "../operations/runs/create-run.ts";
import type { RunInput } from "../operations/runs/discard-run.ts";

const newRun = z.object({
  book: field.optionalEnum(bookNames),
  year: field.integer({ min: limits.runYearLeast, max: limits.runYear }),
  month: field.integer({ min: 1, max: 12 }),
});

export function decodeCreateRun(request: CreateRunRequest): NewRun {
  const { book = "book", year, month } = parse(newRun, request);
  return { book, period: periodOfYearMonth({ year, month }) };
}

const target = z.object({ id: field.id() });

/** Which run a request changes, and at which revs. */
export const decodeRunInput = ({ id, ifRevIn }: { id: string; ifRevIn: number[] }): RunInput => ({
  ...parse(target, { id }),
  ifRevIn,
});

export type RunLinesQuery = { runId: string; assetId?: string | undefined; page: PageQuery };

const linesQuery = z.object({ runId: field.id(), assetId: field.optionalId() });

export const decodeRunLinesQuery = ({ runId, assetId, page }: ListRunLinesRequest): RunLinesQuery => ({
  ...parse(linesQuery, { runId, assetId }),
  page: pageRequest(page),
});
