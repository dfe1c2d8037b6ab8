import { ScanService } from "@asset-register/proto/assetregister/stocktake/v1/scan_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeAddScans } from "../decode/scan.ts";
import { encodeScan, encodeScanResult } from "../encode/scan.ts";
import { addScans } from "../operations/add-scans.ts";

export function scanService(context: Context): Implementation {
  const { stores } = context;
  return implement(ScanService, {
    addScans: command(
      decodeAddScans,
      (input, call) => addScans(context, input, call),
      (results) => ({ results: results.map(encodeScanResult) }),
    ),

    async listScans({ sessionId, page }, { workspaceId }) {
      const session = requireFound(await stores.sessions.get(workspaceId, sessionId), "session");
      const found = await stores.scans.list(workspaceId, sessionId, pageRequest(page), session.scans);
      return { scans: found.items.map(encodeScan), page: pageInfo(found) };
    },
  });
}
