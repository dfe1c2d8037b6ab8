import type { AddScansRequest } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { AddScans } from "../operations/add-scans.ts";

const target = z.object({ sessionId: field.id() });

/** Only the number of scans is checked here: an invalid scan is refused individually later. */
export function decodeAddScans(request: AddScansRequest): AddScans {
  const { scans: items, ifRevIn } = request;
  if (items.length === 0 || items.length > limits.scans) {
    throw invalid([{ field: "scans", message: `must have 1 to ${limits.scans} items` }]);
  }
  return { ...parse(target, request), items, ifRevIn };
}
