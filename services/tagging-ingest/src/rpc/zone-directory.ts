import { ZoneDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { Context } from "../context.ts";

const someZones = z.object({ workspaceId: field.id(), zoneIds: field.ids() });

/** Answers to other services, which name the workspace themselves. */
export function zoneDirectoryService({ stores }: Context): Implementation {
  return implement(ZoneDirectoryService, {
    async resolveZones(request) {
      const { workspaceId, zoneIds } = parse(someZones, request);
      const zones = await stores.zones.getMany(workspaceId, zoneIds);
      return { existingIds: [...zones.keys()] };
    },
  });
}
