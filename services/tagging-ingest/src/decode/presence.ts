import { limits } from "@asset-register/proto/limits";
import { field } from "@asset-register/rpc";
import { z } from "zod";

const most = limits.presence;

/** The settings of presence, of a zone and of a workspace. */
export const presence = z.object({
  confirmReads: field.integer({ min: 1, max: most.confirmReads }).optional(),
  dwellSeconds: field.integer({ max: most.dwellSeconds }).optional(),
  leaveAfterSeconds: field
    .integer({ min: most.leaveAfterSecondsLeast, max: most.leaveAfterSeconds })
    .optional(),
  marginDb: field.integer({ max: most.marginDb }).optional(),
  reportIntervalSeconds: field.integer({ min: 1, max: most.reportIntervalSeconds }).optional(),
});
