import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { topics } from "@asset-register/proto/topics";
import {
  caller,
  openTopics,
  sharedService,
  startService,
  type TestEvent,
} from "@asset-register/service-harness";

import { buildApp, type Overrides } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { createStores } from "../src/context.ts";
import { fakeMaintenance } from "./fake-maintenance.ts";
import { type AssetFields, fakeRegister } from "./fake-register.ts";

const { workspace, asset, organisation, stocktake, depreciation, depreciationRun, audit } = topics;
const used = [workspace, asset, organisation, stocktake, depreciation, depreciationRun, audit];
/** As that of the test's own calls: test machines are busy. */
const DEADLINE_MS = 20_000;

/** The service on real servers, with fakes of the services that it calls. */
export async function startFinance(overrides: Overrides = {}) {
  const register = fakeRegister();
  const maintenance = fakeMaintenance();
  const service = await startService({
    ...{ name: "finance", buildApp, configSchema, topics: used },
    overrides: { deadlineMs: DEADLINE_MS, ...overrides },
    fakes: { register: register.implementations, maintenance: maintenance.implementations },
  });
  const bus = await openTopics({
    prefix: service.prefix,
    recorded: { depreciation, depreciationRun },
    published: used,
  });
  return {
    ...service,
    ...bus,
    register,
    maintenance,
    stores: createStores(service.mongo),
    async stop() {
      await service.stop();
      await bus.close();
    },
  };
}

/** The service that the test files share. */
export const sharedFinance = sharedService((now) => startFinance({ now }));

export type Finance = Awaited<ReturnType<typeof sharedFinance>>;

/** An `asset` event as register publishes it. Its sequence is the rev. */
export const assetEvent = (
  workspaceId: string,
  state: (AssetFields | Asset) & { id: string; rev: number },
  statusKey = "in_stock",
): TestEvent<typeof topics.asset.schema> => ({
  ...{ topic: asset, workspaceId, subject: state.id, sequence: state.rev, type: "asset.updated" },
  message: { state, statusKey, change: { case: "updated", value: {} } },
});

/** A projected workspace, and callers in it. */
export async function newWorkspace(
  { projectWorkspace, mongo }: Finance,
  fields: { fiscalYearStart?: number } = {},
) {
  const id = await projectWorkspace(fields, mongo);
  const accountant = caller.user(id, "finance", "view");
  return { id, accountant, viewer: caller.user(id, "view") };
}

export type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** An amount in EUR, from major units as text: "12.34". */
export const eur = (text: string) => ({ minorUnits: BigInt(text.replace(".", "")), currency: "EUR" });
