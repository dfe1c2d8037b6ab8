import { createBlobSweep, createBlobs, s3Settings } from "@asset-register/blobs";
import { createService, type Service } from "@asset-register/service";
import { indexes } from "../migrations/0001-indexes.ts";
import { organisation } from "../migrations/0002-organisation.ts";
import { assetTags, inbox } from "../migrations/0003-asset-tags.ts";
import { reportIndexes } from "../migrations/0004-report-indexes.ts";
import { images } from "../migrations/0005-images.ts";
import { customFields } from "../migrations/0006-custom-fields.ts";
import { imports } from "../migrations/0007-imports.ts";
import { statusOrder } from "../migrations/0008-status-order.ts";
import { connectClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { createContext } from "./context.ts";
import { subscriptions } from "./events.ts";
import { createIndexing } from "./operations/custom-fields/index-custom-field.ts";
import { createImporting, type ImportSettings } from "./operations/import/run-import.ts";
import { createPlacing, type PlacingSettings } from "./operations/organisation/place-assets.ts";
import { published } from "./published.ts";
import { assetDirectoryService } from "./rpc/asset-directory.ts";
import { assetImageService } from "./rpc/asset-images.ts";
import { assetService } from "./rpc/assets.ts";
import { countService } from "./rpc/counts.ts";
import { custodyService } from "./rpc/custody.ts";
import { customFieldService } from "./rpc/custom-fields.ts";
import { importService } from "./rpc/imports.ts";
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
  organisationService,
  organisationDirectoryService,
  reportService,
];

export type Overrides = { now?: () => Date; placing?: PlacingSettings; importing?: ImportSettings };

/** All wiring of the service; nothing runs before `start`. */
export function buildApp(config: Config, { now, placing, importing }: Overrides = {}): Promise<Service> {
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
    ],
    sealed,
    published,
    async build(base) {
      const clients = connectClients(base, config);
      const blobs = await createBlobs({ ...base, s3: s3Settings(config) });
      const context = createContext(base, { clients, blobs }, (context) => ({
        placing: createPlacing(context, placing),
        indexing: createIndexing(context),
        importing: createImporting(context, importing),
      }));
      const { assetImages, imports: importStore } = context.stores;
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
              ],
            }),
          },
          { name: "placing", role: "worker", ...context.placing },
          { name: "importing", role: "worker", ...context.importing },
          { name: "indexing", role: "worker", ...context.indexing },
        ],
      };
    },
  });
}
