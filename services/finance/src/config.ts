import { settings } from "@asset-register/runtime";
import { serviceSettings } from "@asset-register/service";
import { z } from "zod";

/** Settings of the service; README.md describes each. */
export const configSchema = z.object({
  ...serviceSettings("finance"),
  REGISTER_ADDRESS: settings.upstream(),
  MAINTENANCE_ADDRESS: settings.upstream(),
});

export type Config = z.output<typeof configSchema>;
