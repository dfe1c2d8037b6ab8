import { eventually, testKeys } from "@asset-register/harness";
import { WorkspaceStatus } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { ReconcileService } from "@asset-register/proto/assetregister/stocktake/v1/reconcile_pb";
import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { StocktakeService } from "@asset-register/proto/assetregister/stocktake/v1/session_pb";
import { VarianceService } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { topics } from "@asset-register/proto/topics";
import * as register from "@asset-register/register";
import { openTopics, sharedService, startService, workspaceEvent } from "@asset-register/service-harness";
import * as tagging from "@asset-register/tagging-ingest";
import { configSchema as registerConfig } from "../../../register/src/config.ts";
import { configSchema as taggingConfig } from "../../../tagging-ingest/src/config.ts";
import * as stocktake from "../../src/app.ts";
import { configSchema as stocktakeConfig } from "../../src/config.ts";

const used = Object.values(topics);
const { stocktake: stocktakeTopic, movement } = topics;

/** No test of a count needs the other services. */
const NOWHERE = "127.0.0.1:1";

/** Stock-take with the real register and the real tagging-ingest. */
export async function startCounting(overrides: stocktake.Overrides = {}) {
  const keys = testKeys("gateway", "register", "tagging-ingest", "stocktake");
  const registering = await startService({
    ...{ name: "register", buildApp: register.buildApp, configSchema: registerConfig, topics: used, keys },
    settings: { IDENTITY_ADDRESS: NOWHERE, TAGGING_INGEST_ADDRESS: NOWHERE },
  });
  const { prefix } = registering;
  const addressOf = ({ ports }: { ports: { grpc: number } }) => `127.0.0.1:${ports.grpc}`;
  const REGISTER_ADDRESS = addressOf(registering.app);
  const tags = await startService({
    ...{ name: "tagging-ingest", buildApp: tagging.buildApp, configSchema: taggingConfig, keys, prefix },
    ...{ topics: [], settings: { REGISTER_ADDRESS } },
  });
  const counting = await startService({
    ...{ name: "stocktake", buildApp: stocktake.buildApp, configSchema: stocktakeConfig, keys, prefix },
    ...{ topics: [], overrides, settings: { REGISTER_ADDRESS, TAGGING_INGEST_ADDRESS: addressOf(tags.app) } },
  });
  const recorded = { stocktake: stocktakeTopic, movement };
  const bus = await openTopics({ prefix, recorded, published: used });

  return {
    ...bus,
    /** The service under test. */
    stocktake: counting,
    register: registering,
    tagging: tags,
    mongo: counting.mongo,
    calls: {
      assets: registering.client(AssetService),
      custody: registering.client(CustodyService),
      organisation: registering.client(OrganisationService),
      tags: tags.client(TagService),
      sessions: counting.client(StocktakeService),
      scans: counting.client(ScanService),
      reconcile: counting.client(ReconcileService),
      variances: counting.client(VarianceService),
      reports: counting.client(VarianceReportService),
    },
    /** Publishes the state of a workspace, and waits until all services know it. */
    async setWorkspace(id: string, rev: number, status = WorkspaceStatus.ACTIVE): Promise<void> {
      await bus.publish(workspaceEvent(id, rev, { status, timeZone: "UTC" }));
      await eventually(async () => {
        for (const { mongo } of [registering, tags, counting]) {
          const filter = { _id: id, workspaceId: id, sourceSequence: rev };
          if (!(await mongo.collection("workspaces").findOne(filter as object)))
            throw new Error("not yet known");
        }
      });
    },
    async stop() {
      await counting.stop();
      await tags.stop();
      await registering.stop();
      await bus.close();
    },
  };
}

/** The services that the test files share. */
export const sharedCounting = sharedService((now) => startCounting({ now }));

export type Counting = Awaited<ReturnType<typeof sharedCounting>>;
