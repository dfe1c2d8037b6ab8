import {
  type CreateZoneRequest,
  type SetZoneLocationsRequest,
  ZoneService,
} from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { limits } from "@asset-register/proto/limits";
import { type Call, command, type Implementation, implement } from "@asset-register/rpc";
import type { ListQuery } from "../domain/list-query.ts";
import type { Zone } from "../domain/zone.ts";
import { zoneMessage } from "../messages.ts";
import type { NewZone } from "../operations/create-zone.ts";
import type { SetZoneLocations } from "../operations/set-zone-locations.ts";
import { checkInput, nameOf } from "./input.ts";
import { pageInfo, toListQuery } from "./page.ts";

type Operations = {
  createZone(input: NewZone, call: Call): Promise<Zone>;
  setZoneLocations(input: SetZoneLocations, call: Call): Promise<Zone>;
  listZones(
    workspaceId: string,
    query: ListQuery,
  ): Promise<{ items: Zone[]; page: number; limit: number; total: number; nextCursor: string }>;
};

/** A zone names what one person can look after. */

/** Zones over RPC. */
export function zoneService(operations: Operations): Implementation {
  const encode = (zone: Zone) => ({ zone: zoneMessage(zone) });
  return implement(ZoneService, {
    createZone: command(decodeNewZone, operations.createZone, encode),
    setZoneLocations: command(decodeLocations, operations.setZoneLocations, encode),
    async listZones({ page }, call) {
      const found = await operations.listZones(call.workspaceId, toListQuery(page));
      return { zones: found.items.map(zoneMessage), page: pageInfo(found) };
    },
  });
}

function decodeNewZone({ name, locationIds, readerIds }: CreateZoneRequest): NewZone {
  let trimmed = name;
  checkInput((wrong) => {
    trimmed = nameOf(name, wrong);
    checkMembers("location_ids", locationIds, wrong);
    checkMembers("reader_ids", readerIds, wrong);
  });
  return { name: trimmed, locationIds, readerIds };
}

function decodeLocations({ id, locationIds, ifRevIn }: SetZoneLocationsRequest): SetZoneLocations {
  checkInput((wrong) => checkMembers("location_ids", locationIds, wrong));
  return { id, locationIds: locationIds, ifRevIn };
}

function checkMembers(field: string, ids: string[], wrong: (field: string, message: string) => void): void {
  if (ids.length > limits.ids) wrong(field, `must hold at most ${limits.ids} ids`);
}
