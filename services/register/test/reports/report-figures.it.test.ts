import { ReportGrouping, ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { codeOf, openProfiler } from "@asset-register/service-harness";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/assets/asset.ts";
import { type RunningRegister, seedWorkspace, sharedRegister } from "../support.ts";
import { disposal, storeAssets } from "./report-support.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const fields = { LOCATION: "locationId", CUSTODIAN: "custodianId", CATEGORY: "categoryId" } as const;
const groupings = Object.entries(fields) as [keyof typeof fields, (typeof fields)[keyof typeof fields]][];

const clientOf = (running: RunningRegister) => running.client(ReportService);

const register = await sharedRegister();
const reports = clientOf(register);
const home = await seedWorkspace(register);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Sums of forty are above 2^53 / 8, where amounts of a currency without digits still are, and below 2^53. */
const amount = optional(fc.oneof(fc.nat(100), fc.integer({ min: 0, max: 2 ** 47 })));
const reference = (prefix: string) => optional(fc.constantFrom(`${prefix}_1`, `${prefix}_2`, `${prefix}_3`));
const randomAsset: fc.Arbitrary<Partial<Asset>> = fc.record({
  ...{ cost: amount, nbv: amount, accumulatedDepreciation: amount },
  ...{ locationId: reference("loc"), custodianId: reference("cus"), categoryId: reference("cat") },
  disposed: fc.option(fc.constant(disposal), { nil: undefined, freq: 4 }),
  deletedAt: fc.option(fc.constant(new Date()), { nil: undefined, freq: 4 }),
});

const sum = (assets: Partial<Asset>[], field: "cost" | "nbv" | "accumulatedDepreciation") =>
  assets.reduce((total, asset) => total + BigInt(asset[field] ?? 0), 0n);

test("every figure of random assets is that of a plain model, exact to the minor unit", async () => {
  const stored = register.mongo.collection<{ _id: string; workspaceId: string }>("assets");
  await fc.assert(
    fc.asyncProperty(fc.array(randomAsset, { maxLength: 40 }), fc.boolean(), async (assets, filtered) => {
      await stored.deleteMany({ workspaceId: home.id });
      await storeAssets(register, home.id, assets);
      // A filter that finds all: the figures are then read from the documents.
      const filter = filtered ? { statusId: "sta_1" } : {};
      const live = assets.filter(({ deletedAt, disposed }) => !deletedAt && !disposed);
      const { report } = await reports.getRegisterReport(filter, home.admin);
      expect(report).toMatchObject({
        count: live.length,
        cost: { minorUnits: sum(live, "cost") },
        nbv: { minorUnits: sum(live, "nbv") },
        accumulated: { minorUnits: sum(live, "accumulatedDepreciation") },
        withoutCost: live.filter(({ cost }) => cost === undefined).length,
        disposed: { count: assets.filter(({ deletedAt, disposed }) => !deletedAt && disposed).length },
      });
      for (const [name, field] of groupings) {
        const request = { ...filter, grouping: ReportGrouping[name] };
        const { rows } = await reports.listReportRows(request, home.admin);
        const groups = Map.groupBy(live, (asset) => asset[field]);
        expect(rows.length).toBe(groups.size);
        for (const { id, count, cost, nbv } of rows) {
          const group = groups.get(id) ?? [];
          expect([count, cost?.minorUnits, nbv?.minorUnits]).toEqual([
            ...[group.length, sum(group, "cost"), sum(group, "nbv")],
          ]);
        }
      }
    }),
    { numRuns: 25 },
  );
});

test("sums up to 2^53 - 1 minor units are exact, and TOO_LARGE beyond, also at the first step", async () => {
  const { id, admin } = await seedWorkspace(register);
  await storeAssets(register, id, [{ cost: MAX - 2 }, { cost: 1 }, { cost: 1 }]);
  const { report } = await reports.getRegisterReport({}, admin);
  expect(report?.cost?.minorUnits).toBe(BigInt(MAX));
  await storeAssets(register, id, [{ cost: 1, locationId: "loc_1" }]);
  expect(await codeOf(reports.getRegisterReport({}, admin))).toBe("TOO_LARGE");
  const byLocation = await reports.listReportRows({ grouping: ReportGrouping.LOCATION }, admin);
  expect(byLocation.rows.map(({ cost }) => cost?.minorUnits)).toEqual([1n, BigInt(MAX)]);
  const byCategory = reports.listReportRows({ grouping: ReportGrouping.CATEGORY }, admin);
  expect(await codeOf(byCategory)).toBe("TOO_LARGE");
});

test("without a filter a report reads the index of its grouping, and no document", async () => {
  const { id, admin } = await seedWorkspace(register);
  await storeAssets(
    register,
    id,
    Array.from({ length: 400 }, (_, index) => ({
      ...{ cost: index, locationId: `loc_${index % 9}`, custodianId: "cus_1", categoryId: "cat_1" },
    })),
  );
  const profiler = await openProfiler(register.mongo.database);
  const expectCovered = async (field: string, run: () => Promise<unknown>) => {
    const operations = await profiler.operationsOf("assets", run);
    expect(operations).toMatchObject([{ docsExamined: 0 }]);
    expect(operations[0]?.planSummary).toContain(`live: 1, ${field}: 1, _id: 1`);
    expect(operations[0]?.keysExamined).toBeLessThanOrEqual(401);
  };
  await expectCovered("statusId", () => reports.getRegisterReport({}, admin));
  for (const [name, field] of groupings) {
    await expectCovered(field, () =>
      reports.listReportRows({ grouping: ReportGrouping[name], rollup: name !== "CUSTODIAN" }, admin),
    );
  }
  // With a filter, only the documents that its index selects.
  const filtered = await profiler.operationsOf("assets", () =>
    reports.getRegisterReport({ locationId: "loc_1" }, admin),
  );
  expect(filtered[0]?.docsExamined).toBeLessThanOrEqual(45);
  await profiler.close();
});
