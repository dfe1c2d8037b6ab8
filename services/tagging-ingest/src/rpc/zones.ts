import { ZoneService } from "@asset-register/proto/assetregister/tagging_ingest/v1/reader_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateZone,
  decodeDeleteZone,
  decodeSetZoneLocations,
  decodeUpdateZone,
} from "../decode/zone.ts";
import { encodeZone } from "../encode/zone.ts";
import { createZone } from "../operations/zones/create-zone.ts";
import { deleteZone } from "../operations/zones/delete-zone.ts";
import { setZoneLocations } from "../operations/zones/set-zone-locations.ts";
import { updateZone } from "../operations/zones/update-zone.ts";

export function zoneService(context: Context): Implementation {
  const { stores } = context;
  return implement(ZoneService, {
    createZone: command(
      decodeCreateZone,
      (input, call) => createZone(context, input, call),
      (zone) => ({ zone: encodeZone(zone) }),
    ),

    updateZone: command(
      decodeUpdateZone,
      (input, call) => updateZone(context, input, call),
      (zone) => ({ zone: encodeZone(zone) }),
    ),

    deleteZone: command(
      decodeDeleteZone,
      (input, call) => deleteZone(context, input, call),
      () => ({}),
    ),

    setZoneLocations: command(
      decodeSetZoneLocations,
      (input, call) => setZoneLocations(context, input, call),
      (zone) => ({ zone: encodeZone(zone) }),
    ),

    async getZone({ id }, { workspaceId }) {
      return { zone: encodeZone(requireFound(await stores.zones.get(workspaceId, id), "zone")) };
    },

    async listZones(request, { workspaceId }) {
      const found = await stores.zones.list(workspaceId, pageRequest(request.page));
      return { zones: found.items.map(encodeZone), page: pageInfo(found) };
    },
  });
}
