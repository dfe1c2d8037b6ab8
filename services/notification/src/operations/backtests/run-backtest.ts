import { type Chunk, createLongWork, type LongWork } from "@asset-register/mongo";
import { localDateIn } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { silenceOf } from "../../domain/alert-rules/condition.ts";
import { subjectOf } from "../../domain/alerts/sighting.ts";
import {
  type Backtest,
  MAX_FIRST_ALERTS,
  MAX_SUBJECTS,
  type RaisedAlert,
  readFrom,
  ruleOf,
} from "../../domain/backtests/backtest.ts";
import { endOfSpan, newSubject, type Rung, ring, type SubjectState } from "../../domain/backtests/ring.ts";
import { type BacktestDocument, backtestRecords } from "../../store/backtests/backtests.ts";
import { judgePast } from "./judge-past.ts";

/** How the work differs in tests. */
export type BacktestingSettings = { leaseMs?: number };

type BacktestChunk = Chunk<BacktestDocument>;

/** Subjects whose silence at the end is judged together. */
const CLOSED_TOGETHER = 1_000;
const DAY_MS = 86_400_000;

/** Judges the sightings of backtests page by page. Of the state of a workspace it changes nothing. */
export function createBacktesting(
  context: Context,
  { leaseMs }: BacktestingSettings = {},
): LongWork<BacktestDocument> {
  return createLongWork<BacktestDocument>({
    ...{ ...context, collection: backtestRecords.collection, leaseMs },
    statuses: { running: { failed: "failed" } },
    async step(document) {
      const backtest = context.stores.backtests.toView(document);
      const workspace = await requireActive(context, backtest.workspaceId);
      const timeZone = workspace.timeZone || "UTC";
      return document.closing
        ? closeNext(context, backtest, timeZone, document.lastSubject ?? "")
        : judgeNext(context, backtest, timeZone, document.cursor);
    },
  });
}

async function judgeNext(
  context: Context,
  backtest: Backtest,
  timeZone: string,
  cursor: string | undefined,
): Promise<BacktestChunk> {
  const { stores, clients } = context;
  const { workspaceId, rule, from, to } = backtest;
  const start = readFrom(backtest);
  const { sightings, nextCursor } = await clients.listSightings(workspaceId, { from: start, to, cursor });
  const judged = await judgePast(context, { workspaceId, timeZone, rule: ruleOf(backtest) }, sightings);
  const subjects = [...new Set(judged.map(({ sighting }) => subjectOf(sighting)))];
  const states = await stores.backtestSubjects.getMany(backtest, subjects);
  const changes = new Map<string, SubjectState>();
  const raised: RaisedAlert[] = [];
  let spared = 0;
  for (const one of judged) {
    const subject = subjectOf(one.sighting);
    const before = changes.get(subject) ?? states.get(subject) ?? newSubject(one.sighting);
    const rung = ring(before, one, rule, { from, to });
    spared += rung.state.spared - before.spared;
    raised.push(...rung.raised);
    if (rung.state !== before) changes.set(subject, rung.state);
  }
  const isLast = nextCursor === undefined;
  const last = sightings.at(-1)?.at;
  const done = isLast
    ? backtest.progress.total
    : last
      ? Math.floor((last.getTime() - start.getTime()) / DAY_MS)
      : 0;
  const closing = isLast && silenceOf(rule.condition) !== undefined;
  return {
    ...(isLast && !closing && { status: "done" }),
    progress: {
      ...backtest.progress,
      done: Math.min(Math.max(done, backtest.progress.done), backtest.progress.total),
    },
    set: {
      ...(isLast ? { closing } : { cursor: nextCursor }),
      sightings: backtest.sightings + sightings.length,
      ...countsAfter(backtest, raised, spared, timeZone),
    },
    save: saveOf(context, backtest, [...changes.values()], isLast && !closing),
  };
}

async function closeNext(
  context: Context,
  backtest: Backtest,
  timeZone: string,
  after: string,
): Promise<BacktestChunk> {
  const { rule, from, to } = backtest;
  const states = await context.stores.backtestSubjects.list(backtest, after, CLOSED_TOGETHER);
  const rung: Rung[] = states.map((state) => endOfSpan(state, rule, { from, to }));
  const changed = rung.map(({ state }) => state).filter((state, index) => state !== states[index]);
  const spared = rung.reduce((sum, { state }, index) => sum + state.spared - (states[index]?.spared ?? 0), 0);
  const isLast = states.length < CLOSED_TOGETHER;
  const raised = rung.flatMap((one) => one.raised);
  return {
    ...(isLast && { status: "done" }),
    progress: backtest.progress,
    set: { lastSubject: states.at(-1)?.subject ?? after, ...countsAfter(backtest, raised, spared, timeZone) },
    save: saveOf(context, backtest, changed, isLast),
  };
}

function countsAfter(
  { alerts, spared, days, firstAlerts }: Backtest,
  raised: readonly RaisedAlert[],
  moreSpared: number,
  timeZone: string,
): Pick<Backtest, "alerts" | "spared" | "days" | "firstAlerts"> {
  const byDay = new Map(days.map((one) => [one.date, one.alerts]));
  const dateOf = localDateIn(timeZone);
  for (const { at } of raised) {
    const date = dateOf(at);
    byDay.set(date, (byDay.get(date) ?? 0) + 1);
  }
  return {
    alerts: alerts + raised.length,
    spared: spared + moreSpared,
    days: [...byDay]
      .map(([date, count]) => ({ date, alerts: count }))
      .sort((a, b) => (a.date < b.date ? -1 : 1)),
    firstAlerts: [...firstAlerts, ...raised].slice(0, MAX_FIRST_ALERTS),
  };
}

/** Saves the states, and with the last ones the subjects with the most alerts. */
function saveOf(
  { stores }: Context,
  backtest: Backtest,
  states: readonly SubjectState[],
  isLast: boolean,
): BacktestChunk["save"] {
  return async (session) => {
    await stores.backtestSubjects.saveMany(backtest, states, session);
    if (!isLast) return;
    const subjects = await stores.backtestSubjects.listMost(backtest, MAX_SUBJECTS, session);
    await stores.backtests.setSubjects(backtest.workspaceId, backtest.id, subjects, session);
  };
}
