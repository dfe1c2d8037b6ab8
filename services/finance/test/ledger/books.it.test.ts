import { eventually, testKeys } from "@asset-register/harness";
import { Book } from "@asset-register/proto/assetregister/finance/v1/book_pb";
import { DepreciationProfileService } from "@asset-register/proto/assetregister/finance/v1/depreciation_profile_pb";
import {
  DepreciationRunService,
  RunStatus,
} from "@asset-register/proto/assetregister/finance/v1/depreciation_run_pb";
import {
  type Asset,
  AssetService,
  DepreciationMethod,
  DisposalMethod,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import * as register from "@asset-register/register";
import { requireFound } from "@asset-register/runtime";
import { caller, codeOf, openTopics, startService } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { configSchema as registerConfig } from "../../../register/src/config.ts";
import * as finance from "../../src/app.ts";
import { configSchema as financeConfig } from "../../src/config.ts";

/** The real register and the real finance. No test needs the other services. */
const NOWHERE = "127.0.0.1:1";
const keys = testKeys("gateway", "register", "finance");
const used = Object.values(topics);
const registering = await startService({
  ...{ name: "register", buildApp: register.buildApp, configSchema: registerConfig, topics: used, keys },
  settings: { IDENTITY_ADDRESS: NOWHERE, TAGGING_INGEST_ADDRESS: NOWHERE },
});
const { prefix } = registering;
const addressOf = ({ ports }: { ports: { grpc: number } }) => `127.0.0.1:${ports.grpc}`;
const settings = { REGISTER_ADDRESS: addressOf(registering.app), MAINTENANCE_ADDRESS: NOWHERE };
const accounts = await startService({
  ...{ name: "finance", buildApp: finance.buildApp, configSchema: financeConfig, topics: [], keys, prefix },
  settings,
});
// Each of the two needs the address of the other one: this is a second process of register.
const asking = await registering.start({ FINANCE_ADDRESS: addressOf(accounts.app) });
const bus = await openTopics({ prefix, recorded: {}, published: used });
afterAll(async () => {
  await accounts.stop();
  await registering.stop();
  await bus.close();
});

const assets = registering.client(AssetService, "gateway", asking);
const profiles = accounts.client(DepreciationProfileService);
const runs = accounts.client(DepreciationRunService);
const eur = (minor: number) => ({ minorUnits: BigInt(minor), currency: "EUR" });

async function newWorkspace() {
  const id = await bus.projectWorkspace({ timeZone: "UTC" }, registering.mongo, accounts.mongo);
  return { id, admin: caller.user(id, "finance", "view", "create", "edit", "delete") };
}

test("register has what finance has once quiet; a tax run leaves the asset as it is, byte for byte", async () => {
  const { id: workspaceId, admin } = await newWorkspace();
  const create = async (): Promise<string> => {
    const fields = {
      ...{ name: "Press", cost: eur(120_000), salvageValue: eur(0), usefulLifeMonths: 12 },
      ...{ inServiceDate: "2026-01-01", depreciationMethod: DepreciationMethod.STRAIGHT_LINE },
    };
    return requireFound((await eventually(() => assets.createAsset({ asset: fields }, admin))).asset).id;
  };
  const read = async (id: string): Promise<Asset> =>
    requireFound((await assets.getAsset({ id }, admin)).asset);
  const figures = async (id: string) => {
    const { nbv, accumulatedDepreciation, gainLoss } = await read(id);
    return [nbv, accumulatedDepreciation, gainLoss].map((money) => money && Number(money.minorUnits));
  };
  const eventuallyFigures = (id: string, expected: (number | undefined)[]) =>
    eventually(async () => expect(await figures(id)).toEqual(expected));
  const post = async (book: Book, month: number): Promise<void> => {
    const ended = (id: string) =>
      eventually(async () => {
        const { run } = await runs.getRun({ id }, admin);
        expect([RunStatus.DRAFT, RunStatus.POSTED]).toContain(run?.status);
      });
    const { id } = requireFound((await runs.createRun({ book, year: 2026, month }, admin)).run);
    await ended(id);
    await runs.postRun({ id }, admin);
    await ended(id);
  };

  const [charged, other] = [await create(), await create()];
  await eventuallyFigures(charged, [120_000, 0, undefined]);
  const { profile } = await profiles.saveProfile({ assetId: other, fields: { salvage: eur(60_000) } }, admin);
  expect(profile?.assetRev).toBe((await read(other)).rev);
  await post(Book.BOOK, 2);
  await eventuallyFigures(charged, [100_000, 20_000, undefined]);
  await eventuallyFigures(other, [110_000, 10_000, undefined]);

  const tax = { method: DepreciationMethod.STRAIGHT_LINE, cost: eur(240_000), lifeMonths: 12 };
  const fields = { ...tax, inServiceDate: "2026-01-01" };
  await profiles.saveProfile({ assetId: charged, book: Book.TAX, fields }, admin);
  const rowOf = (id: string) => registering.mongo.collection("assets").findOne({ _id: id, workspaceId });
  const before = await rowOf(charged);
  await post(Book.TAX, 3);
  // Later than whatever the run could have published.
  await assets.updateAsset(
    { asset: { id: other, cost: eur(130_000) }, updateMask: { paths: ["cost"] } },
    admin,
  );
  await eventuallyFigures(other, [120_000, 10_000, undefined]);
  expect(await rowOf(charged)).toEqual(before);

  expect(await codeOf(assets.deleteAsset({ id: charged }, admin))).toBe("ASSET_HAS_DEPRECIATION");
  await assets.disposeAsset(
    { id: charged, date: "2026-02-10", method: DisposalMethod.SOLD, proceeds: eur(115_000) },
    admin,
  );
  // Nothing for the month of the disposal: January alone.
  await eventuallyFigures(charged, [0, 10_000, 5_000]);

  const unused = await create();
  await eventuallyFigures(unused, [120_000, 0, undefined]);
  await assets.deleteAsset({ id: unused }, admin);
  await eventually(async () => {
    const state = await accounts.mongo.collection("book_states").findOne({ _id: unused, workspaceId });
    expect(state).toMatchObject({ deletedAt: expect.any(Date), nbv: 120_000 });
  });
});
