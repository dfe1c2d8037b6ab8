import {
  BacktestService,
  BacktestStatus,
} from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { backtest, newBacktestSchema, toNewBacktest } from "../resources/backtest.ts";
import type { Surface } from "../surface.ts";

/** Alert rules that are tried on past sightings before they are created. */
export const backtests: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { get } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  create("/alert-rules/backtest", {
    summary: "Try an alert rule on past sightings",
    description:
      "Nothing is raised or sent. A small one is `done` at once; a larger one is 202: read it until its status is final. A workspace runs one at a time. Rules about readers can't be tried.",
    access: { capability: "alerts" },
    rpc: BacktestService.method.createBacktest,
    record: backtest,
    body: newBacktestSchema,
    toRequest: toNewBacktest,
    collection: "/alert-rules/backtests",
    continues: ({ status }) => status === BacktestStatus.RUNNING,
  });

  get("/alert-rules/backtests/:id", {
    summary: "Retrieve one backtest",
    access: { capability: "alerts" },
    rpc: BacktestService.method.getBacktest,
    record: backtest,
  });
};
