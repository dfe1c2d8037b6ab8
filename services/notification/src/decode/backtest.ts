import type { CreateBacktestRequest } from "@asset-register/proto/assetregister/notification/v1/backtest_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { DEFAULT_COOLDOWN_SECONDS } from "../domain/alert-rules/alert-rule.ts";
import { alertScopeNames } from "../encode/alert.ts";
import type { CreateBacktest } from "../operations/backtests/create-backtest.ts";
import { condition, conditionInput } from "./condition.ts";

const newBacktest = z.object({
  rule: z.object({
    scopeType: field.enum(alertScopeNames),
    scopeId: field.optionalId(),
    condition,
    cooldownSeconds: field.integer({ max: limits.cooldownSeconds }).default(DEFAULT_COOLDOWN_SECONDS),
  }),
  from: field.optionalInstant(),
  to: field.optionalInstant(),
});

export function decodeCreateBacktest({ rule, ...span }: CreateBacktestRequest): CreateBacktest {
  return parse(newBacktest, { ...span, rule: { ...rule, condition: conditionInput(rule?.condition) } });
}
