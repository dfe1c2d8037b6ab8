import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertRule } from "../alert-rules/alert-rule.ts";
import type { Meaning } from "../alert-rules/meaning.ts";
import { type Alert, acknowledge, type Effect, effectOf, outcomeOf, resolve } from "./alert.ts";
import type { Sighting } from "./sighting.ts";

const start = new Date("2026-01-01T00:00:00.000Z").getTime();
const second = (n: number): Date => new Date(start + n * 1000);

const rule: AlertRule = {
  id: "rul_1",
  workspaceId: "wsp_1",
  name: "Gate",
  scopeType: "all",
  condition: { type: "left_zone", zoneId: "zon_gate" },
  channel: "inapp",
  enabled: true,
  cooldownSeconds: 300,
  createdAt: second(0),
  rev: 1,
  version: 1,
};

const ada = { kind: "user", id: "usr_1" } as const;

const sighting = (sequence: number, change: Partial<Sighting> = {}): Sighting => ({
  id: "msg_1",
  kind: "left",
  epc: "E1",
  assetId: "ast_1",
  readerId: "rdr_1",
  fromZoneId: "zon_gate",
  at: second(sequence),
  receivedAt: second(sequence),
  order: { epoch: 0, sequence },
  ...change,
});

const apply = (latest: Alert | undefined, meaning: Meaning, event: Sighting): Effect =>
  effectOf({ rule, meaning, sighting: event, latest }, () => `alr_${event.order.sequence}`);

const raised = (sequence = 1): Alert => {
  const effect = apply(undefined, "fires", sighting(sequence));
  if (effect.kind !== "raised") throw new Error("a first sighting raises");
  return effect.alert;
};

describe("effectOf", () => {
  test("the first sighting raises an alert with subject, place and time", () => {
    expect(raised()).toMatchObject({
      id: "alr_1",
      ruleId: "rul_1",
      status: "open",
      subject: "ast_1",
      assetId: "ast_1",
      zoneId: "zon_gate",
      readerId: "rdr_1",
      count: 1,
      firstAt: second(1),
      lastAt: second(1),
      rev: 1,
    });
  });

  test("an alert of a move out of the rule's zone has that zone, not the one that was entered", () => {
    const move = sighting(1, { kind: "moved", zoneId: "zon_hall" });
    expect(apply(undefined, "fires", move)).toMatchObject({ kind: "raised", alert: { zoneId: "zon_gate" } });
  });

  test("the subject of an unknown tag is its epc", () => {
    const { assetId: _none, ...unknown } = sighting(1, { kind: "unknown_tag", zoneId: "zon_a" });
    const anywhere: AlertRule = { ...rule, condition: { type: "unknown_tag" } };
    const input = { rule: anywhere, meaning: "fires" as const, sighting: unknown, latest: undefined };
    expect(effectOf(input, () => "alr_1")).toMatchObject({
      kind: "raised",
      alert: { subject: "epc:E1", zoneId: "zon_a" },
    });
  });

  test("a repeat raises the count, keeps the id and leaves rev as it is", () => {
    expect(apply(raised(), "fires", sighting(2))).toMatchObject({
      kind: "repeated",
      alert: { id: "alr_1", count: 2, lastAt: second(2), firstAt: second(1), rev: 1 },
    });
  });

  test("a repeat that was read earlier does not move lastAt backwards", () => {
    const late = sighting(2, { at: second(0) });
    expect(apply(raised(), "fires", late)).toMatchObject({ alert: { count: 2, lastAt: second(1) } });
  });

  test("repeats raise the count of an acknowledged alert too", () => {
    const alert = acknowledge(raised(), second(2), ada);
    expect(apply(alert, "fires", sighting(3))).toMatchObject({
      kind: "repeated",
      alert: { status: "acknowledged" },
    });
  });

  test("the return of the tag resolves the alert", () => {
    expect(apply(raised(), "ends", sighting(2))).toMatchObject({
      kind: "resolved",
      alert: { status: "resolved", rev: 2, resolvedAt: second(2) },
    });
  });

  test("a return without an alert does nothing", () => {
    expect(apply(undefined, "ends", sighting(1))).toEqual({ kind: "none" });
  });

  test("no alert is raised during the cooldown after a resolution, and one is after it", () => {
    const alert = resolve(raised(), second(10), ada);
    expect(apply(alert, "fires", sighting(309))).toEqual({ kind: "none" });
    expect(apply(alert, "fires", sighting(310))).toMatchObject({ kind: "raised", alert: { id: "alr_310" } });
  });

  test("reads that arrive more than 10 minutes late raise no alert", () => {
    expect(apply(undefined, "fires", sighting(1, { receivedAt: second(602) }))).toEqual({ kind: "none" });
    expect(apply(undefined, "fires", sighting(1, { receivedAt: second(601) }))).toMatchObject({
      kind: "raised",
    });
  });

  test("events that are applied again from any point end in the same alert", () => {
    const steps = fc.array(fc.constantFrom<Meaning>("fires", "ends"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, fc.nat(11), (meanings, from) => {
        const run = (latest: Alert | undefined, start: number): Alert | undefined =>
          meanings.slice(start).reduce((alert, meaning, index) => {
            const effect = apply(alert, meaning, sighting(start + index + 1));
            return effect.kind === "none" ? alert : effect.alert;
          }, latest);
        const once = run(undefined, 0);
        expect(run(once, Math.min(from, meanings.length))).toEqual(once);
      }),
    );
  });

  test("a higher epoch overrides the sequence", () => {
    expect(apply(raised(5), "fires", sighting(1, { order: { epoch: 1, sequence: 1 } }))).toMatchObject({
      kind: "repeated",
    });
  });
});

describe("outcomeOf", () => {
  const stepsOf = (...meanings: Meaning[]) =>
    meanings.map((meaning, index) => ({ rule, meaning, sighting: sighting(index + 1) }));
  const outcome = (latest: Alert | undefined, ...meanings: Meaning[]) =>
    outcomeOf(stepsOf(...meanings), latest, () => "alr_new");

  test("repeats of a new alert are part of its insertion, and it is reported as it was raised", () => {
    const found = outcome(undefined, "fires", "fires", "fires");
    expect(found).toMatchObject({ inserted: [{ count: 3, lastAt: second(3) }], reported: [{ count: 1 }] });
    expect(found?.changed).toBeUndefined();
  });

  test("repeats of an alert that exists are one change, which is not reported", () => {
    const before = raised(0);
    expect(outcome(before, "fires", "fires")).toEqual({
      rule,
      changed: { before, after: expect.objectContaining({ count: 3, rev: 1 }) },
      inserted: [],
      reported: [],
    });
  });

  test("an alert that ends within the batch is reported as raised and as resolved", () => {
    expect(outcome(undefined, "fires", "ends")?.reported).toMatchObject([
      { status: "open", rev: 1 },
      { status: "resolved", rev: 2, resolvedBy: { kind: "service", id: "notification" } },
    ]);
  });

  test("a new alert supersedes the resolved one before it, which keeps its other fields", () => {
    const eager = { ...rule, cooldownSeconds: 0 };
    const before = resolve(raised(0), second(0), ada);
    const step = { rule: eager, meaning: "fires" as const, sighting: sighting(1) };
    expect(outcomeOf([step], before, () => "alr_new")).toEqual({
      rule: eager,
      changed: { before, after: { ...before, superseded: true } },
      inserted: [expect.objectContaining({ id: "alr_new", status: "open" })],
      reported: [expect.objectContaining({ id: "alr_new", rev: 1 })],
    });
  });

  test("sightings without an effect give no outcome", () => {
    expect(outcome(undefined, "ends")).toBeUndefined();
    expect(outcome(raised(9), "fires", "ends")).toBeUndefined();
  });

  test("sightings in any batches end in the same alert as one by one", () => {
    const meanings = fc.array(fc.constantFrom<Meaning>("fires", "ends"), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(meanings, fc.nat(10), fc.constantFrom(0, 3, 300), (all, cut, cooldownSeconds) => {
        const steps = stepsOf(...all).map((step) => ({ ...step, rule: { ...rule, cooldownSeconds } }));
        const newest = (latest: Alert | undefined, some: typeof steps): Alert | undefined => {
          const found = outcomeOf(some, latest, () => "alr_1");
          return found ? (found.inserted.at(-1) ?? found.changed?.after) : latest;
        };
        const batches = newest(newest(undefined, steps.slice(0, cut)), steps.slice(cut));
        const single = steps.reduce((latest, step) => newest(latest, [step]), undefined as Alert | undefined);
        expect(batches).toEqual(single);
      }),
    );
  });
});

describe("acknowledge and resolve", () => {
  test("an alert that is acknowledged again stays the same", () => {
    const first = acknowledge(raised(), second(5), ada);
    expect(first).toMatchObject({ status: "acknowledged", rev: 2 });
    expect(acknowledge(first, second(6), ada)).toBe(first);
  });

  test("a resolved alert can't be acknowledged, and stays the same when it is resolved again", () => {
    const alert = resolve(raised(), second(5), ada);
    expect(alert).toMatchObject({ status: "resolved", resolvedAt: second(5), rev: 2 });
    expect(() => acknowledge(alert, second(6), ada)).toThrow(
      expect.objectContaining({ kind: "conflict", code: "ALERT_RESOLVED" }),
    );
    expect(resolve(alert, second(6), ada)).toBe(alert);
  });

  test("an acknowledged alert can be resolved", () => {
    const alert = acknowledge(raised(), second(5), ada);
    expect(resolve(alert, second(6), ada)).toMatchObject({ status: "resolved", rev: 3 });
  });
});
