import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Zone } from "../domain/zone.ts";
import { checkInput } from "./input.ts";

type Queries = { getZones(workspaceId: string, ids: readonly string[]): Promise<Zone[]> };

const MAX_IDS = 1000;

/** Answers to other services, which name the workspace themselves. */
export function zoneDirectoryService({ getZones }: Queries): Implementation {
  return implement(ZoneDirectoryService, {
    async resolveZones({ workspaceId, zoneIds }) {
      checkInput((wrong) => {
        if (workspaceId === "") wrong("workspace_id", "is required");
        if (zoneIds.length > MAX_IDS) wrong("zone_ids", `must hold at most ${MAX_IDS} ids`);
      });
      return { existingIds: (await getZones(workspaceId, zoneIds)).map(({ id }) => id) };
    },
  });
}
