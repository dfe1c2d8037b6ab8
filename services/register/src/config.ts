import { blobSettings } from "@asset-register/blobs";
import { publicUrlSetting, settings, withPublicUrl } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

/** Settings of the service; README.md describes each. */
export const configSchema = z
  .object({
    ...serviceSettings("register"),
    ...blobSettings,
    ...publicUrlSetting,
    IDENTITY_ADDRESS: settings.upstream(),
    TAGGING_INGEST_ADDRESS: settings.upstream(),
    FINANCE_ADDRESS: settings.upstream().optional(),
  })
  .transform(withPublicUrl);

export type Config = z.output<typeof configSchema>;
