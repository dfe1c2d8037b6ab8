import { endsByItself, silenceOf } from "../alert-rules/condition.ts";
import type { Meaning } from "../alert-rules/meaning.ts";
import { type Sighting, subjectOf } from "../alerts/sighting.ts";
import type { BacktestRule, RaisedAlert } from "./backtest.ts";

/** How a rule stands for one subject, as far as its sightings were judged. Instants are milliseconds of the epoch. */
export type SubjectState = {
  subject: string;
  assetId?: string | undefined;
  /** An alert is unresolved. */
  isOpen: boolean;
  /** Nothing is raised before, because an alert was resolved. */
  restsUntil: number;
  /** Of a rule about silence: the newest sighting. */
  last?: LastSeen | undefined;
  alerts: number;
  spared: number;
};

type LastSeen = Pick<RaisedAlert, "kind" | "eventId" | "zoneId" | "readerId"> & {
  at: number;
  /** The rule watches its asset there. */
  inScope: boolean;
};

/** What a sighting means for the rule. */
export type Judged = { sighting: Sighting; meaning: Meaning; inScope: boolean };

/** The time that is judged: alerts before `from` and after `to` do not count. */
export type Span = { from: Date; to: Date };

export type Rung = { state: SubjectState; raised: RaisedAlert[] };

export function newSubject({ assetId, epc }: Pick<Sighting, "assetId" | "epc">): SubjectState {
  return {
    subject: subjectOf({ assetId, epc }),
    assetId,
    isOpen: false,
    restsUntil: 0,
    alerts: 0,
    spared: 0,
  };
}

/**
 * What a sighting does. An alert whose condition does not end by itself counts as resolved at once: so each further
 * one after the cooldown is raised too, as for people who resolve what they see.
 */
export function ring(
  state: SubjectState,
  { meaning, sighting, inScope }: Judged,
  rule: BacktestRule,
  span: Span,
): Rung {
  const { kind, id: eventId, zoneId, readerId } = sighting;
  const at = sighting.at.getTime();
  const seen: LastSeen = { kind, eventId, zoneId, readerId, at, inScope };
  if (silenceOf(rule.condition) !== undefined) return hear(state, seen, rule, span);
  if (meaning === "ends") return { state: resolved(state, at, rule), raised: [] };
  return raise(state, seen, at, rule, span);
}

/** The end of the time: a silence may have been long enough until then. */
export function endOfSpan(state: SubjectState, rule: BacktestRule, span: Span): Rung {
  const since = state.last;
  return since === undefined
    ? { state, raised: [] }
    : raiseSilence(state, since, span.to.getTime(), rule, span);
}

function hear(state: SubjectState, seen: LastSeen, rule: BacktestRule, span: Span): Rung {
  const { last } = state;
  // An asset that was never in the scope has no state.
  if (last === undefined) return { state: seen.inScope ? { ...state, last: seen } : state, raised: [] };
  if (seen.at < last.at) return { state, raised: [] };
  const rung = raiseSilence(state, last, seen.at, rule, span);
  return { ...rung, state: { ...resolved(rung.state, seen.at, rule), last: seen } };
}

/** The alert of a silence that began at `since` and lasts at least until `until`. */
function raiseSilence(
  state: SubjectState,
  since: LastSeen,
  until: number,
  rule: BacktestRule,
  span: Span,
): Rung {
  const at = since.at + (silenceOf(rule.condition) ?? 0);
  return since.inScope && at < until ? raise(state, since, at, rule, span) : { state, raised: [] };
}

function raise(
  state: SubjectState,
  seen: LastSeen,
  at: number,
  rule: BacktestRule,
  { from, to }: Span,
): Rung {
  if (state.isOpen) return { state, raised: [] };
  if (at < state.restsUntil) {
    const counts = at >= from.getTime() && at < to.getTime();
    return { state: { ...state, spared: state.spared + (counts ? 1 : 0) }, raised: [] };
  }
  const open = { ...state, isOpen: true };
  const after = endsByItself(rule.condition) ? open : resolved(open, at, rule);
  if (at < from.getTime() || at >= to.getTime()) return { state: after, raised: [] };
  const { subject, assetId } = state;
  const { kind, eventId, zoneId, readerId } = seen;
  const raised = { subject, assetId, at: new Date(at), seenAt: new Date(seen.at) };
  const evidence = { kind, eventId, zoneId, readerId };
  return { state: { ...after, alerts: state.alerts + 1 }, raised: [{ ...raised, ...evidence }] };
}

/** Only what is open rests afterwards. */
function resolved(state: SubjectState, at: number, { cooldownSeconds }: BacktestRule): SubjectState {
  if (!state.isOpen) return state;
  return { ...state, isOpen: false, restsUntil: at + cooldownSeconds * 1000 };
}
