import type { Labels } from "./alerts.ts";

/** A series of the past: a counter with a constant rate per second, or a constant value. */
export type PastSeries = { name: string; labels: Labels } & ({ rate: number } | { value: number });

/** The answer of Prometheus to a query. */
export type Query = (query: string) => Promise<{ labels: Labels; value: number }[]>;

/** Counters of which an objective allows a share to be bad. Of a histogram, those of the bucket `le` are good. */
const SHARES = [
  { name: "http_server_request_duration_seconds_count", good: 'http_response_status_code!~"5.."', le: "1" },
  { name: "consumer_event_age_seconds_count", good: "", le: "5" },
  { name: "webhook_delivery_attempts_total", good: 'outcome="delivered"' },
];
const LATE = ["asset_register:outbox_age:late", "asset_register:consumer_lag:late"];

/** The longest window of a rule. */
const PAST_S = 3 * 86_400;
/** Averages weigh samples, so recorded series need one a minute, as their rules record them. */
const EVERY_S = { value: 60, rate: 300 };

/** The past as if the load of the last two minutes had lasted for days, and all of it had been good. */
export async function pastOf(query: Query): Promise<PastSeries[]> {
  const series: PastSeries[] = [];
  for (const { name, good, le } of SHARES) {
    for (const { labels, value } of await query(`sum without (pod, instance) (rate(${name}{${good}}[2m]))`)) {
      const past = { labels: { ...labels, pod: "past" }, rate: value };
      series.push({ name, ...past });
      if (le !== undefined)
        series.push({ ...past, name: name.replace("_count", "_bucket"), labels: { ...past.labels, le } });
    }
  }
  for (const name of LATE)
    for (const { labels } of await query(name)) {
      const { __name__: _, ...own } = labels;
      series.push({ name, labels: own, value: 0 });
    }
  return series;
}

/**
 * The lines of three days until `end` (seconds since 1970), in the format OpenMetrics. A burn rate is a share of an hour or
 * more: a Prometheus that knows only the last minutes would fire too early.
 */
export function* formatPast(series: readonly PastSeries[], end: number): Generator<string> {
  for (const [name, own] of Map.groupBy(series, (one) => one.name)) {
    yield `# TYPE ${name} unknown\n`;
    for (const one of own) yield formatSeries(one, end);
  }
  yield "# EOF\n";
}

function formatSeries(series: PastSeries, end: number): string {
  const labels = Object.entries(series.labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const every = "rate" in series ? EVERY_S.rate : EVERY_S.value;
  const lines: string[] = [];
  for (let at = end - PAST_S; at <= end; at += every) {
    const value = "rate" in series ? series.rate * (at - end + PAST_S) : series.value;
    lines.push(`${series.name}{${labels.join(",")}} ${value} ${at}\n`);
  }
  return lines.join("");
}
