import { DepreciationRunService } from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { currencyDigits, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateRun, decodeRunInput, decodeRunLinesQuery } from "../decode/run.ts";
import type { Run } from "../domain/runs/run.ts";
import { bookNames } from "../encode/names.ts";
import { encodeRun, encodeRunLine, encodeSkip } from "../encode/run.ts";
import { createRun } from "../operations/runs/create-run.ts";
import { discardRun } from "../operations/runs/discard-run.ts";
import { listRunLines, listSkippedAssets } from "../operations/runs/list-run-lines.ts";
import { postRun } from "../operations/runs/post-run.ts";

const encode = (run: Run) => ({ run: encodeRun(run) });

export function runService(context: Context): Implementation {
  const { stores } = context;
  return implement(DepreciationRunService, {
    createRun: command(decodeCreateRun, (input, call) => createRun(context, input, call), encode),
    postRun: command(decodeRunInput, (input, call) => postRun(context, input, call), encode),
    discardRun: command(decodeRunInput, (input, call) => discardRun(context, input, call), encode),

    async getRun({ id }, { workspaceId }) {
      return encode(requireFound(await stores.runs.get(workspaceId, id), "run"));
    },

    async listRuns({ page, book }, { workspaceId }) {
      const found = await stores.runs.list(workspaceId, bookNames.decode(book), pageRequest(page));
      const runs = found.items.map((run) => encodeRun(run, { short: true }));
      return { runs, page: pageInfo(found) };
    },

    async listRunLines(request, { workspaceId }) {
      const query = decodeRunLinesQuery(request);
      if (request.skipped) {
        const found = await listSkippedAssets(context, workspaceId, query);
        return { skipped: found.items.map(encodeSkip), page: pageInfo(found) };
      }
      const { currency, ...found } = await listRunLines(context, workspaceId, query);
      const money = { currency, digits: currencyDigits(currency) };
      return { lines: found.items.map((line) => encodeRunLine(line, money)), page: pageInfo(found) };
    },
  });
}
