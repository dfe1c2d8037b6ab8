import { NameService } from "@asset-register/proto/assetregister/tagging_ingest/v1/name_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { Context } from "../context.ts";
import { resolveNames } from "../operations/zones/resolve-names.ts";

const someIds = z.object({ ids: field.ids() });

/** The names of zones and readers. */
export function nameService(context: Context): Implementation {
  return implement(NameService, {
    async resolveNames(request, { workspaceId }) {
      return { records: await resolveNames(context, workspaceId, parse(someIds, request).ids) };
    },
  });
}
