import { localDate } from "@asset-register/runtime";
import { expect, it, test } from "vitest";
import { contractStatus } from "./contract-status.ts";

const startsOn = "2026-01-31";

it.each([
  ["upcoming", "2026-01-30", { startsOn, endsOn: "2026-12-31" }],
  ["upcoming wins over expiring", "2026-01-30", { startsOn, endsOn: "2026-02-01" }],
  ["active", "2026-01-31", { startsOn, endsOn: "2026-12-31" }],
  ["active, 31 days before its end", "2026-11-30", { startsOn, endsOn: "2026-12-31" }],
  ["expiring, 30 days before its end", "2026-12-01", { startsOn, endsOn: "2026-12-31" }],
  ["expiring, on its last day", "2026-12-31", { startsOn, endsOn: "2026-12-31" }],
  ["expired", "2027-01-01", { startsOn, endsOn: "2026-12-31" }],
  ["active without an end", "2999-01-01", { startsOn }],
  ["cancelled wins", "2027-01-01", { startsOn, endsOn: "2026-12-31", cancelledAt: new Date(0) }],
] as const)("%s", (name, today, contract) => {
  expect(contractStatus(contract, today)).toBe(/^\w+/.exec(name)?.[0]);
});

test.each([
  // The zone skipped 2011-12-30: the instant after the 29th is the 31st.
  ["Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", "expiring"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-29", "expired"],
  // The day begins at 01:00, since the clocks go forward at midnight.
  ["America/Santiago", "2026-09-06T03:59:59Z", "2026-09-05", "expiring"],
  ["America/Santiago", "2026-09-06T04:00:00Z", "2026-09-05", "expired"],
  ["Europe/Berlin", "2026-03-28T22:59:59Z", "2026-03-28", "expiring"],
  ["Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-28", "expired"],
  ["Europe/Berlin", "2026-10-25T22:59:59Z", "2026-10-25", "expiring"],
  ["Europe/Berlin", "2026-10-25T23:00:00Z", "2026-10-25", "expired"],
])("in %s at %s a contract that ends on %s is %s", (zone, instant, endsOn, status) => {
  const today = localDate(new Date(instant), zone);
  expect(contractStatus({ startsOn: "2000-01-01", endsOn }, today)).toBe(status);
});
