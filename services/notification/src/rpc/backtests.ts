import { BacktestService } from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateBacktest } from "../decode/backtest.ts";
import { encodeBacktest } from "../encode/backtest.ts";
import { createBacktest } from "../operations/backtests/create-backtest.ts";

export function backtestService(context: Context): Implementation {
  const { stores, now } = context;
  return implement(BacktestService, {
    createBacktest: command(
      decodeCreateBacktest,
      (input, call) => createBacktest(context, input, call),
      (backtest) => ({ backtest: encodeBacktest(backtest) }),
    ),

    async getBacktest({ id }, { workspaceId }) {
      const found = await stores.backtests.get(workspaceId, id);
      // The database removes it up to a minute after its time.
      if (found === undefined || found.expiresAt <= now()) throw notFound("backtest");
      return { backtest: encodeBacktest(found) };
    },
  });
}
