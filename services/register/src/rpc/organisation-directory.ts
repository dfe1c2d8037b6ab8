import { OrganisationDirectoryService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { Context } from "../context.ts";
import { decodeKind } from "../decode/organisation.ts";
import { encodeNames } from "../encode/organisation.ts";

const someRecords = z.object({ workspaceId: field.id(), ids: field.ids() });

/** Answers to other services, which name the workspace themselves. */
export function organisationDirectoryService({ stores }: Context): Implementation {
  return implement(OrganisationDirectoryService, {
    async resolveRecords(request) {
      const kind = decodeKind(request.kind);
      const { workspaceId, ids } = parse(someRecords, request);
      const records = await stores.organisation.getMany(workspaceId, ids);
      const existing = [...records.values()].filter((record) => record.kind === kind);
      return encodeNames(existing);
    },
  });
}
