import type { RouteInfo } from "../plugins/route-table.ts";
import { alertCodes } from "./alerts.ts";
import { commonCodes } from "./common.ts";
import { domainCodes } from "./domain.ts";
import type { ErrorCode } from "./error-code.ts";
import { financeCodes } from "./finance.ts";
import { maintenanceCodes } from "./maintenance.ts";
import { scheduleCodes } from "./schedules.ts";
import { signInCodes } from "./sign-in.ts";
import { stocktakeCodes } from "./stocktake.ts";
import { taggingCodes } from "./tagging.ts";

/** Every code that a response can have, by status. The pages, the documents and their tests use it. */
export const errorCatalogue: readonly ErrorCode[] = [
  ...commonCodes,
  ...signInCodes,
  ...domainCodes,
  ...taggingCodes,
  ...alertCodes,
  ...scheduleCodes,
  ...stocktakeCodes,
  ...maintenanceCodes,
  ...financeCodes,
].toSorted((one, other) => one.status - other.status);

/** The codes that a route can answer with, by status. */
export function errorsOf(route: RouteInfo): Map<number, ErrorCode[]> {
  return Map.groupBy(
    errorCatalogue.filter((entry) => entry.appliesTo(route)),
    ({ status }) => status,
  );
}
