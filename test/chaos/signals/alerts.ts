import { z } from "zod";

export type Labels = Readonly<Record<string, string>>;

/** An alert that Prometheus has now. */
export type Alert = { name: string; labels: Labels; isFiring: boolean };

/** An alert by its name and some of its labels. */
export type Expected = { alert: string; labels: Labels };

/** The time in which an alert was firing, in milliseconds. `until` is undefined while it still is. */
export type Firing = { alert: Alert; from: number; until: number | undefined };

const answerSchema = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.record(z.string(), z.string()), state: z.string() })),
  }),
});

/** Parses an answer of /api/v1/alerts. */
export function parseAlerts(body: unknown): Alert[] {
  return answerSchema.parse(body).data.alerts.map(({ labels: { alertname = "", ...labels }, state }) => ({
    ...{ name: alertname, labels },
    isFiring: state === "firing",
  }));
}

export function matches({ name, labels }: Alert, expected: Expected): boolean {
  return (
    name === expected.alert && Object.entries(expected.labels).every(([key, value]) => labels[key] === value)
  );
}

/** Remembers when each alert began and ended to fire. */
export function createAlertLog() {
  const firings: Firing[] = [];
  const keyOf = ({ name, labels }: Alert): string =>
    JSON.stringify([name, Object.entries(labels).toSorted()]);
  return {
    firings,
    note(alerts: readonly Alert[], at: number): void {
      const firing = new Map(alerts.filter((one) => one.isFiring).map((one) => [keyOf(one), one]));
      for (const one of firings) {
        if (one.until !== undefined || firing.delete(keyOf(one.alert))) continue;
        one.until = at;
      }
      for (const alert of firing.values()) firings.push({ alert, from: at, until: undefined });
    },
    /** When an expected alert was first firing at or after `since`. It may have begun before. */
    firedAt(expected: Expected, since: number): number | undefined {
      const found = firings.filter(
        ({ alert, until }) => matches(alert, expected) && (until === undefined || until >= since),
      );
      return found.length === 0 ? undefined : Math.max(since, Math.min(...found.map(({ from }) => from)));
    },
    isFiring: (expected: Expected): boolean =>
      firings.some(({ alert, until }) => until === undefined && matches(alert, expected)),
  };
}

export type AlertLog = ReturnType<typeof createAlertLog>;
