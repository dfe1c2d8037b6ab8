import { isDuplicateKey, keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { AppError, conflict, newId } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { requireConsistent } from "../../domain/alert-rules/rule-fields.ts";
import {
  BACKTEST_KEPT_MS,
  type Backtest,
  type BacktestRule,
  readFrom,
  requireTestable,
  ruleOf,
  spanOf,
} from "../../domain/backtests/backtest.ts";
import { type BacktestView, ONE_RUNNING } from "../../store/backtests/backtests.ts";
import { requireReferences } from "../alert-rules/require-references.ts";

export type CreateBacktest = { rule: BacktestRule; from?: Date | undefined; to?: Date | undefined };

const DAY_MS = 86_400_000;

/**
 * Tries a rule on past sightings. A small one is done in this call.
 *
 * @throws AppError VALIDATION_FAILED, NOT_FOUND, BACKTEST_RUNNING
 */
export async function createBacktest(
  context: Context,
  { rule, ...asked }: CreateBacktest,
  call: Call,
): Promise<BacktestView> {
  const { backtesting, mongo, stores, now } = context;
  const { workspaceId } = call;
  await requireWorkspace(context, workspaceId);
  const createdAt = now();
  const span = spanOf(asked, createdAt);
  requireTestable(rule);
  const backtest: Backtest = {
    ...{ id: newId("bkt"), workspaceId, status: "running", rule, ...span },
    progress: {
      done: 0,
      total: Math.ceil((span.to.getTime() - readFrom({ rule, ...span, createdAt }).getTime()) / DAY_MS),
    },
    ...{ sightings: 0, alerts: 0, spared: 0, days: [], subjects: [], firstAlerts: [] },
    ...{ createdAt, createdBy: call.actor, expiresAt: new Date(createdAt.getTime() + BACKTEST_KEPT_MS) },
  };
  await withinRule(async () => {
    requireConsistent(ruleOf(backtest));
    await requireReferences(context, rule, call);
  });
  try {
    await mongo.transaction(call, async (session) => {
      await stores.backtests.insert(workspaceId, backtest, session);
      return backtest;
    });
  } catch (error) {
    if (!isDuplicateKey(error, ONE_RUNNING)) throw error;
    throw conflict("BACKTEST_RUNNING", "Another backtest of the workspace is running.", [
      { field: "status", message: "running" },
    ]);
  }
  const judged = await backtesting.finishQuickly({ _id: backtest.id, workspaceId });
  const answer = stores.backtests.toView(judged);
  await keepAnswer(mongo, call, answer);
  return answer;
}

/** The fields of the rule are those of the property `rule`. */
async function withinRule(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof AppError) || error.violations.length === 0) throw error;
    const { kind, code, message } = error;
    const violations = error.violations.map((one) => ({ ...one, field: `rule.${one.field}` }));
    throw new AppError({ kind, code, message, violations });
  }
}
