import { eventually } from "@asset-register/harness";
import { createUserApi, type Demo } from "@asset-register/harness/client";
import { beforeAll, expect, test } from "vitest";
import { joinPlatform } from "./platform.ts";

type Id = { id: string };
type Part = { count: number; count_is_exact: boolean; href: string };
type Home = Record<string, Part | null>;

const DAY_MS = 86_400_000;

let demo: Demo;

beforeAll(async () => {
  ({ demo } = await joinPlatform());
});

const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

test("each part of /home counts what the list behind its address has, also after something is added", async () => {
  const { get, post } = createUserApi(demo.base_url, demo);
  const asset = await post<Id>("/assets", { name: "Scale" });
  await post("/checkouts", {
    ...{ asset_id: asset.id, issued_to_type: "external", issued_to_name: "Acme" },
    due_at: new Date(Date.now() - DAY_MS).toISOString(),
  });
  await post("/contracts", {
    ...{ asset_id: asset.id, type: "service", starts_on: day(-30), ends_on: day(10) },
  });
  const plan = { asset_id: asset.id, interval_value: 1, interval_unit: "day", basis: "fixed" };
  await post("/pm-schedules", { ...plan, title: "Oil" });
  await post("/pm-schedules", { ...plan, title: "Calibrate", template: { type: "calibration" } });
  const property = await post<Id>("/properties", { name: "Counted" });
  const location = await post<Id>("/locations", { name: "Counted", property_id: property.id });
  await post("/assets", { name: "Counted", location_id: location.id });
  const scope = { scope_type: "location", scope_id: location.id };
  const session = await post<Id>("/stocktake/sessions", { name: "Spring", ...scope });
  await post(`/stocktake/sessions/${session.id}/open`);

  // Totals are kept for 5 s, and other tests add to the workspace.
  await eventually(async () => {
    const home = await get<Home>("/home");
    expect(Object.keys(home)).toEqual([
      ...["alerts_open", "checkouts_overdue", "maintenance_due", "calibrations_due", "contracts_expiring"],
      ...["counts_in_progress", "readers_silent"],
    ]);
    for (const [name, part] of Object.entries(home)) {
      const { href, count } = part ?? { href: "", count: 0 };
      expect(href, name).toMatch(/^\/asset_manager_api\//);
      const { total } = await get<{ total: number }>(href.replace(/^\/asset_manager_api/, ""));
      expect([name, total]).toEqual([name, count]);
    }
    for (const name of ["checkouts_overdue", "maintenance_due", "calibrations_due", "contracts_expiring"]) {
      expect(home[name]?.count, name).toBeGreaterThan(0);
    }
    expect(home.counts_in_progress?.count).toBeGreaterThan(0);
  });
});
