import { createBlobSweep, createBlobs, s3Settings } from "@asset-register/blobs";
import { createIndexRetirement, createSweeper } from "@asset-register/mongo";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { organisation } from "../migrations/0002-organisation.ts";
import { assetTags, inbox } from "../migrations/0003-asset-tags.ts";
import { reportIndexes } from "../migrations/0004-report-indexes.ts";
import { images } from "../migrations/0005-images.ts";
import { customFields } from "../migrations/0006-custom-fields.ts";
import { imports } from "../migrations/0007-imports.ts";
import { statusOrder } from "../migrations/0008-status-order.ts";
import { facetIndexes } from "../migrations/0009-facet-indexes.ts";
import { dailyValues } from "../migrations/0010-daily-values.ts";
import { labels } from "../migrations/0011-labels.ts";
import { retiredAssetIndexes, sharedIndexes } from "../migrations/0012-shared-indexes.ts";
import { listIndexes, retiredListIndexes } from "../migrations/0013-list-indexes.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createIndexing } from "./operations/custom-fields/index-custom-field.ts";
import { createImageScaler } from "./operations/images/image-scaler.ts";
import { createImporting, type ImportSettings } from "./operations/import/run-import.ts";
import { createLabelling, type LabellingSettings } from "./operations/labels/make-labels.ts";
import { createPlacing, type PlacingSettings } from "./operations/organisation/place-assets.ts";
import { createValueCount, type ValueSettings } from "./operations/reports/count-values.ts";
import { valueSweep } from "./operations/reports/sweep-values.ts";
import { published } from "./published.ts";
import { assetDirectoryService } from "./rpc/asset-directory.ts";
import { assetImageService } from "./rpc/asset-images.ts";
import { assetService } from "./rpc/assets.ts";
import { countService } from "./rpc/counts.ts";
import { custodyService } from "./rpc/custody.ts";
import { customFieldService } from "./rpc/custom-fields.ts";
import { importService } from "./rpc/imports.ts";
import { labelService } from "./rpc/labels.ts";
import { nameService } from "./rpc/names.ts";
import { organisationService } from "./rpc/organisation.ts";
import { organisationDirectoryService } from "./rpc/organisation-directory.ts";
import { reportService } from "./rpc/reports.ts";
import { sealed } from "./sealed.ts";

const services = [
  assetService,
  assetImageService,
  assetDirectoryService,
  countService,
  custodyService,
  customFieldService,
  importService,
  labelService,
  nameService,
  organisationService,
  organisationDirectoryService,
  reportService,
];

export type Overrides = {
  now?: () => Date;
  placing?: PlacingSettings;
  importing?: ImportSettings;
  values?: ValueSettings & { sweepMs?: number };
  labelling?: LabellingSettings;
};

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(
  config: Config,
  { now, placing, importing, values, labelling }: Overrides = {},
): Promise<Service> {
  return createService({
    name: "register",
    config,
    now,
    migrations: [
      indexes,
      organisation,
      assetTags,
      inbox,
      reportIndexes,
      images,
      customFields,
      imports,
      statusOrder,
      facetIndexes,
      dailyValues,
      labels,
      sharedIndexes,
      listIndexes,
    ],
    sealed,
    published,
    async build(base) {
      const clients = connectClients(base, config);
      const blobs = await createBlobs({ ...base, s3: s3Settings(config) });
      const own = { clients, blobs, imageScaler: createImageScaler(), publicUrl: config.PUBLIC_URL };
      const context = createContext(base, own, (context) => ({
        placing: createPlacing(context, placing),
        indexing: createIndexing(context),
        importing: createImporting(context, importing),
        counting: createValueCount(context, values),
        labelling: createLabelling(context, labelling),
      }));
      const { assetImages, imports: importStore, labelSheets } = context.stores;
      return {
        rpc: services.map((service) => service(context)),
        consumers: [{ subscriptions: subscriptions(context) }],
        parts: [
          { name: "clients", stop: clients.close },
          { name: "blobs", stop: blobs.close },
          {
            name: "blob sweep",
            role: "worker",
            ...createBlobSweep({
              ...context,
              referenced: async (workspaceId, ids) => [
                ...(await assetImages.referencedBlobs(workspaceId, ids)),
                ...(await importStore.referencedBlobs(workspaceId, ids)),
                ...(await labelSheets.referencedBlobs(workspaceId, ids)),
              ],
            }),
          },
          { name: "placing", role: "worker", ...context.placing },
          { name: "importing", role: "worker", ...context.importing },
          { name: "labelling", role: "worker", ...context.labelling },
          { name: "indexing", role: "worker", ...context.indexing },
          { name: "counting", role: "worker", ...context.counting },
          ...[retiredAssetIndexes, retiredListIndexes].map((retired) => ({
            name: `indexes retired by ${retired.replacedBy.id}`,
            role: "worker" as const,
            ...createIndexRetirement(context, retired),
          })),
          {
            name: "value sweep",
            role: "worker",
            ...createSweeper(context, "value-sweep", [valueSweep(context, values?.sweepMs)]),
          },
        ],
      };
    },
  });
}
