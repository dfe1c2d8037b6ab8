import { expect, test } from "vitest";
import { createAlertLog, matches, parseAlerts } from "./alerts.ts";
import { rulesOfStarted, targetsOf } from "./config.ts";
import { formatSignals } from "./format.ts";
import { formatPast, pastOf } from "./history.ts";
import { othersOf } from "./run.ts";

const down = { alert: "ProcessDown", labels: { pod: "a" } };
const alertOf = (pod: string, isFiring = true) => ({ name: "ProcessDown", labels: { pod }, isFiring });

test("targets have the labels that the rules select; a pod that is gone, and a server, have none", () => {
  const members = new Map([
    ["finance-worker-1", { healthUrl: "http://127.0.0.1:1001" }],
    ["finance-api-1", { healthUrl: "http://127.0.0.1:1002" }],
    ["mongo-1", {}],
  ]);
  expect(targetsOf(members, new Set(["finance-worker-1"]))).toEqual([
    {
      targets: ["127.0.0.1:1002"],
      labels: { namespace: "assets", release: "assets", job: "asset-register", pod: "finance-api-1" },
    },
  ]);
});

test("rules of one component are left out unless it is started", () => {
  const rules = [
    { alert: "ProcessMissing", expr: 'absent(a{service="stocktake"})' },
    { alert: "ProcessMissing", expr: 'absent(a{service="finance"})' },
    { record: "of:all", expr: "a" },
  ];
  const [group] = rulesOfStarted([{ name: "group", rules }], ["finance"]);
  expect(group).toEqual({ name: "group", rules: rules.slice(1) });
});

test("an answer of Prometheus becomes alerts, which are found by some of their labels", () => {
  const labels = { alertname: "ProcessDown", pod: "a", severity: "page" };
  const [alert] = parseAlerts({ data: { alerts: [{ labels, state: "firing", activeAt: "" }] } });
  expect(alert).toEqual({ name: "ProcessDown", labels: { pod: "a", severity: "page" }, isFiring: true });
  expect(matches(alert!, down)).toBe(true);
  expect(matches(alert!, { ...down, labels: { pod: "b" } })).toBe(false);
});

test("the log has when an alert begins and ends to fire, and that it fires again", () => {
  const log = createAlertLog();
  log.note([alertOf("a", false)], 0);
  expect(log.firedAt(down, 0)).toBe(undefined);
  log.note([alertOf("a"), alertOf("b")], 1);
  log.note([alertOf("a")], 2);
  expect(log.isFiring(down)).toBe(true);
  log.note([], 3);
  log.note([alertOf("a")], 4);
  expect(log.firings.map(({ alert, from, until }) => [alert.labels.pod, from, until])).toEqual([
    ["a", 1, 3],
    ["b", 1, 2],
    ["a", 4, undefined],
  ]);
  expect(log.firedAt(down, 0)).toBe(1);
  expect(log.firedAt(down, 4)).toBe(4);
});

test("other alerts are those that no fault expected, or that fired before it", () => {
  const periods = [{ fault: { name: "killed", expected: [down] }, began: 10, ended: 20 }];
  const firing = (pod: string, from: number) => ({ alert: alertOf(pod), from, until: 30 });
  const others = othersOf([firing("a", 5), firing("a", 15), firing("b", 15)], periods, 40);
  expect(others).toMatchObject([
    { labels: "a", during: "none" },
    { labels: "b", during: "killed" },
  ]);
});

test("the past has the rates of the load, all of them good, until the end", async () => {
  const answers: Record<string, { labels: Record<string, string>; value: number }[]> = {
    consumer_event_age_seconds_count: [{ labels: { topic: "asset.v1" }, value: 2 }],
    "consumer_lag:late": [{ labels: { __name__: "asset_register:consumer_lag:late", group: "g" }, value: 1 }],
  };
  const past = await pastOf(
    async (query) => Object.entries(answers).find(([part]) => query.includes(part))?.[1] ?? [],
  );
  const lines = [...formatPast(past, 1_000_000)].join("").split("\n");
  expect(lines.filter((line) => line.endsWith(" 1000000"))).toEqual([
    'consumer_event_age_seconds_count{topic="asset.v1",pod="past"} 518400 1000000',
    'consumer_event_age_seconds_bucket{topic="asset.v1",pod="past",le="5"} 518400 1000000',
    'asset_register:consumer_lag:late{group="g"} 0 1000000',
  ]);
  expect(lines.at(-2)).toBe("# EOF");
});

test("the table has minutes, and says what did not fire in time", () => {
  const outcome = { fault: "killed", expected: down, firedAfter: 305, resolvedAfter: undefined };
  const text = formatSignals({ outcomes: [outcome], others: [] });
  expect(text).toContain("killed  ProcessDown a         5:05  not in time");
  expect(text).toContain("No other alert fired.");
});
