import type { TFunction } from "i18next";
import type { Schemas } from "../../api/client.ts";
import { reasons as allReasons, weekdays } from "./rule-values.ts";

export type Described = Pick<
  Schemas["NewAlertRule"],
  "condition" | "scope_type" | "channel" | "channel_target" | "cooldown_seconds"
>;

/** The names of the records that a rule is about. */
export type RuleNames = { zone?: string | undefined; scope?: string | undefined; statuses: string[] };

/** Stands for what is not chosen yet. */
const OPEN = "…";
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** Jan 1 2024 was a Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);

/** Says in words what a rule does: when it raises an alert, who is told, and how it ends. */
export function ruleSentence(t: TFunction, language: string, rule: Described, names: RuleNames): string {
  const { condition, scope_type, channel, channel_target, cooldown_seconds } = rule;
  const { type } = condition;
  const name = names.scope ?? OPEN;
  // The scopes that a type can't have are refused by the server.
  const readScope = scope_type === "zone" || scope_type === "location" ? scope_type : "all";
  const what = (): string => {
    if (type === "unknown_tag") return t(`ruleText.where_${readScope}`, { name });
    if (type === "reader_offline" || type === "reader_degraded")
      return t(`ruleText.reader_${readScope}`, { name });
    return t(`ruleText.asset_${scope_type}`, { name });
  };
  const values = {
    what: what(),
    zone: names.zone ?? OPEN,
    statuses: orList(language, names.statuses),
    ...(condition.type === "after_hours" && {
      days: dayList(language, condition.open_days),
      from: condition.open_from,
      to: condition.open_to,
    }),
    ...(condition.type === "not_seen_for" && { time: duration(language, condition.hours * HOUR_S) }),
    ...("minutes" in condition && { time: duration(language, condition.minutes * MINUTE_S) }),
    ...(condition.type === "reader_degraded" && { why: reasonList(t, language, condition.reasons ?? []) }),
  };
  const when = t(`ruleText.${type}`, values);
  const then = t(`ruleText.${channel}`, { target: channel_target || OPEN });
  const ends =
    type === "left_zone" || type === "not_seen_for" || type === "reader_offline" || type === "reader_degraded"
      ? [t(`ruleText.${type}_ends`)]
      : [];
  const pause = cooldown_seconds
    ? [t("ruleText.cooldown", { time: duration(language, cooldown_seconds) })]
    : [];
  return [`${when}, ${then}.`, ...ends, ...pause].join(" ");
}

/** " (clock is off or wrong signatures)". Empty for any reason. */
function reasonList(t: TFunction, language: string, reasons: readonly (typeof allReasons)[number][]): string {
  const names = allReasons.filter((reason) => reasons.includes(reason));
  if (names.length === 0) return "";
  return ` (${orList(
    language,
    names.map((reason) => t(`readerReason.${reason}`)),
  )})`;
}

const orList = (language: string, texts: readonly string[]): string =>
  texts.length === 0 ? OPEN : new Intl.ListFormat(language, { type: "disjunction" }).format(texts);

/** "Mon, Tue", in the order of a week. */
export function dayList(language: string, days: readonly string[]): string {
  const found = weekdays.filter((day) => days.includes(day));
  return found.length === 0 ? OPEN : found.map((day) => dayName(language, day)).join(", ");
}

/** The short name of a day of the week. */
export function dayName(language: string, day: (typeof weekdays)[number]): string {
  const at = MONDAY_MS + weekdays.indexOf(day) * DAY_S * 1_000;
  return new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" }).format(at);
}

/** "2 days", "90 minutes": in the largest unit of which it is a whole number. */
export function duration(language: string, seconds: number): string {
  const [unit, size] = (
    [
      ["day", DAY_S],
      ["hour", HOUR_S],
      ["minute", MINUTE_S],
    ] as const
  ).find(([, s]) => seconds >= s && seconds % s === 0) ?? ["minute", MINUTE_S];
  const format = new Intl.NumberFormat(language, {
    ...{ style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 },
  });
  return format.format(seconds / size);
}
