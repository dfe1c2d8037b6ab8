import { testKeys } from "@asset-register/harness";
import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { DueListService } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { ReaderService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { AppError, unavailable } from "@asset-register/runtime";
import { serving, startFakeService } from "@asset-register/service-harness";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startGateway } from "./gateway.ts";

type Part = { count: number; count_is_exact: boolean; href: string } | null;
type Home = Record<string, Part>;
type Page = { page?: number; limit?: number } | undefined;

/** The requests that the lists got, by list. */
let asked: Record<string, object[]> = {};
/** How the service of the alerts answers. */
let alerts: () => Promise<void> | void = () => undefined;

/** A list with a total of its own. The other fields of a request are its filter. */
const totalOf =
  (list: string, total: number, more: object = {}) =>
  ({ page, ...filter }: { page?: Page }) => {
    const set = Object.entries(filter).filter(([name, value]) => !name.startsWith("$") && value);
    asked[list] = [...(asked[list] ?? []), { ...Object.fromEntries(set), limit: page?.limit }];
    return { page: { page: 1, limit: 1, total, ...more } };
  };

const keys = testKeys("gateway", "upstream");
const upstream = await startFakeService("upstream", keys, [
  serving(DueListService, {
    listMaintenanceDue: totalOf("maintenance", 3),
    listCalibrationsDue: totalOf("calibrations", 0),
  }),
  serving(ContractService, { listExpiringContracts: totalOf("contracts", 5) }),
  serving(StocktakeService, { listSessions: totalOf("sessions", 6) }),
]);
const gateway = await startGateway({
  keys,
  implementations: [
    serving(CustodyService, { listCheckouts: totalOf("checkouts", 100_000, { totalIsExact: false }) }),
    serving(ReaderService, { listReaders: totalOf("readers", 7) }),
  ],
  notification: [
    serving(AlertService, {
      async listAlerts(request) {
        await alerts();
        return totalOf("alerts", 1)(request);
      },
      getAlert: () => ({ alert: { id: "alr_1", status: 1, rev: 1 } }),
    }),
  ],
  settings: {
    STOCKTAKE_ADDRESS: upstream.address,
    MAINTENANCE_ADDRESS: upstream.address,
    // Much longer than a test: what is not given up after a second makes it fail.
    UPSTREAM_DEADLINE: "10m",
    RATE_LIMIT_SESSION: "60000/10000",
  },
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(() => {
  asked = {};
  alerts = () => undefined;
});

const admin = gateway.surfaceB(gateway.accounts.session("admin"));
const B = "/asset_manager_api";
const part = (count: number, href: string): Part => ({ count, count_is_exact: true, href: B + href });

describe("GET /home", () => {
  test("has the totals of the lists, each asked once for one row with the filter of its address, and no ETag", async () => {
    const { body, headers } = await admin.call("GET", "/home");
    expect(body).toEqual({
      alerts_open: part(1, "/alerts?status=open"),
      checkouts_overdue: { ...part(100_000, "/checkouts?overdue=true"), count_is_exact: false },
      maintenance_due: part(3, "/maintenance/due?days=30"),
      calibrations_due: part(0, "/calibrations/due?days=30"),
      contracts_expiring: part(5, "/contracts/expiring?days=30"),
      counts_in_progress: part(6, "/stocktake/sessions?in_progress=true"),
      readers_silent: part(7, "/readers?silent=true"),
    });
    expect(headers.get("etag")).toBeNull();
    expect(asked).toEqual({
      alerts: [{ status: 1, limit: 1 }],
      checkouts: [{ overdue: true, limit: 1 }],
      maintenance: [{ days: 30, limit: 1 }],
      calibrations: [{ days: 30, limit: 1 }],
      contracts: [{ days: 30, limit: 1 }],
      sessions: [{ inProgress: true, limit: 1 }],
      readers: [{ silent: true, limit: 1 }],
    });
  });

  test("each address is a route, which asks for the same filter", async () => {
    const home = await admin.get<Home>("/home");
    const first = asked;
    asked = {};
    for (const one of Object.values(home)) {
      const { total } = await admin.get<{ total: number }>(`${one?.href.slice(B.length)}&per_page=1`);
      expect(total).toBe(one?.count);
    }
    expect(asked).toEqual(first);
  });

  test("a part without its capability is left out, and not asked for; without view it is 403", async () => {
    const viewer = gateway.surfaceB(gateway.accounts.session("view"));
    const home = await viewer.get<Home>("/home");
    expect(Object.keys(home)).toHaveLength(6);
    expect(home).not.toHaveProperty("readers_silent");
    expect(asked).not.toHaveProperty("readers");
    const engineer = gateway.surfaceB(gateway.accounts.session("view", "devices"));
    expect(Object.keys(await engineer.get<Home>("/home"))).toHaveLength(7);
    const other = gateway.surfaceB(gateway.accounts.session("devices"));
    expect(await other.call("GET", "/home")).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  });

  test("a part whose service is unavailable or overloaded is null; the others are there", async () => {
    for (const error of [
      unavailable("The service is unavailable."),
      new AppError({ kind: "exhausted", code: "RATE_LIMITED", message: "Too much." }),
    ]) {
      alerts = () => {
        throw error;
      };
      const home = await admin.get<Home>("/home");
      expect(home.alerts_open).toBeNull();
      expect(Object.values(home).filter(Boolean)).toHaveLength(6);
    }
  });

  test("a part whose service does not answer within a second is null, and does not open the breaker of other routes", async () => {
    const hanging = Promise.withResolvers<void>();
    alerts = () => hanging.promise;
    // More calls than the breaker needs to open.
    const homes = await Promise.all(Array.from({ length: 25 }, () => admin.get<Home>("/home")));
    for (const home of homes) {
      expect(home.alerts_open).toBeNull();
      expect(Object.values(home).filter(Boolean)).toHaveLength(6);
    }
    expect(await admin.get("/alerts/alr_1")).toMatchObject({ id: "alr_1" });
    hanging.resolve();
    alerts = () => undefined;
    expect((await admin.get<Home>("/home")).alerts_open).toEqual(part(1, "/alerts?status=open"));
  });
});
