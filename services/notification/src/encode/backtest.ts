import {
  type BacktestSchema,
  BacktestStatus,
  SightingKind,
} from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { asOfToday } from "../domain/backtests/backtest.ts";
import type { BacktestView } from "../store/backtests/backtests.ts";
import { alertScopeNames } from "./alert.ts";
import { encodeCondition } from "./condition.ts";

const statusNames = enumNames(BacktestStatus);
const kindNames = enumNames(SightingKind);

export function encodeBacktest(backtest: BacktestView): MessageInitShape<typeof BacktestSchema> {
  const { status, rule, sightings, spared, firstAlerts } = backtest;
  return {
    ...encodeInstants(backtest),
    status: statusNames.encode(status),
    rule: {
      ...rule,
      scopeType: alertScopeNames.encode(rule.scopeType),
      condition: encodeCondition(rule.condition),
    },
    sightings: BigInt(sightings),
    sparedByCooldown: spared,
    firstAlerts: firstAlerts.map((alert) => ({
      ...encodeInstants(alert),
      kind: kindNames.encode(alert.kind),
    })),
    asOfToday: asOfToday(rule),
  };
}
