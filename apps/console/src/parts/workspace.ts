import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { queries, type Schemas } from "../api/client.ts";

const MINUTE_MS = 60_000;
const MEGABYTE = 1_000_000;
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 24 * 60 * MINUTE_MS],
  ["month", 30 * 24 * 60 * MINUTE_MS],
  ["day", 24 * 60 * MINUTE_MS],
  ["hour", 60 * MINUTE_MS],
  ["minute", MINUTE_MS],
];

/** Time zone, currency, statuses and custom fields of the workspace. They change seldom. */
export const useTenant = (): Schemas["TenantConfig"] | undefined =>
  queries.useQuery("get", "/tenant_config", {}, { staleTime: 5 * MINUTE_MS }).data;

/** Writes dates, times and money in the language of the page, and in the workspace's time zone and currency. */
export function useFormat() {
  const { i18n } = useTranslation();
  const tenant = useTenant()?.workspace;
  const { language } = i18n;
  return useMemo(() => {
    const timeZone = tenant?.time_zone ?? "UTC";
    const dates = new Intl.DateTimeFormat(language, { timeZone, dateStyle: "medium" });
    const times = new Intl.DateTimeFormat(language, { timeZone, dateStyle: "medium", timeStyle: "short" });
    const seconds = new Intl.DateTimeFormat(language, { timeZone, dateStyle: "medium", timeStyle: "medium" });
    // A day has no time zone.
    const days = new Intl.DateTimeFormat(language, { timeZone: "UTC", dateStyle: "medium" });
    const months = new Intl.DateTimeFormat(language, { timeZone: "UTC", month: "short", year: "numeric" });
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    const numbers = new Intl.NumberFormat(language);
    const money = new Intl.NumberFormat(language, { style: "currency", currency: tenant?.currency ?? "EUR" });
    return {
      date: (at: string) => dates.format(new Date(at)),
      time: (at: string) => times.format(new Date(at)),
      /** With seconds: many reads are in one minute. */
      seconds: (at: string) => seconds.format(new Date(at)),
      day: (date: string) => days.format(new Date(date)),
      month: (year: number, month: number) => months.format(Date.UTC(year, month - 1)),
      number: (value: number) => numbers.format(value),
      money: (value: number) => money.format(value),
      bytes(value: number): string {
        const [unit, size] = value < MEGABYTE ? ["kilobyte", 1_000] : ["megabyte", MEGABYTE];
        const options = { style: "unit", unit, maximumFractionDigits: 1 } as const;
        return new Intl.NumberFormat(language, options).format(value / size);
      },
      /** "3 hours ago" */
      ago(at: string): string {
        const distance = new Date(at).getTime() - Date.now();
        const found = steps.find(([, ms]) => Math.abs(distance) >= ms);
        return found === undefined
          ? relative.format(0, "minute")
          : relative.format(Math.round(distance / found[1]), found[0]);
      },
    };
  }, [language, tenant]);
}
