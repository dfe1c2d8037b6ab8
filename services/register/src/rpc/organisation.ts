import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { forbidden, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateRecord, decodeKind } from "../decode/organisation.ts";
import { encodeRecord } from "../encode/organisation.ts";
import { createRecord } from "../operations/create-record.ts";

export function organisationService(context: Context): Implementation {
  const { stores } = context;
  return implement(OrganisationService, {
    createRecord: command(
      decodeCreateRecord,
      (input, call) => createRecord(context, input, call),
      (record) => ({ record: encodeRecord(record) }),
    ),

    async getRecord(request, { workspaceId }) {
      const kind = decodeKind(request.kind);
      const record = await stores.organisation.get(workspaceId, kind, request.id);
      return { record: encodeRecord(requireFound(record, kind)) };
    },

    async listRecords(request, { principal, workspaceId }) {
      const kind = decodeKind(request.kind);
      // The scope locations:read admits API keys to this RPC, for locations only.
      if (principal.kind === "api_key" && kind !== "location") throw forbidden();
      const found = await stores.organisation.list(workspaceId, kind, pageRequest(request.page));
      return { records: found.items.map(encodeRecord), page: pageInfo(found) };
    },
  });
}
