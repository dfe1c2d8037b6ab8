import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { forbidden, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeCreateRecord,
  decodeDeleteRecord,
  decodeKind,
  decodeUpdateRecord,
} from "../decode/organisation.ts";
import { encodePlaceNode, encodeRecord } from "../encode/organisation.ts";
import { createRecord, type WrittenRecord } from "../operations/organisation/create-record.ts";
import { deleteRecord } from "../operations/organisation/delete-record.ts";
import { getPlaceTree } from "../operations/organisation/get-place-tree.ts";
import { updateRecord } from "../operations/organisation/update-record.ts";

const encodeWritten = ({ record, strippedFields }: WrittenRecord) => ({
  record: encodeRecord(record),
  strippedFields,
});

export function organisationService(context: Context): Implementation {
  const { stores } = context;
  return implement(OrganisationService, {
    createRecord: command(
      decodeCreateRecord,
      (input, call) => createRecord(context, input, call),
      encodeWritten,
    ),

    updateRecord: command(
      decodeUpdateRecord,
      (input, call) => updateRecord(context, input, call),
      encodeWritten,
    ),

    deleteRecord: command(
      decodeDeleteRecord,
      (input, call) => deleteRecord(context, input, call),
      () => ({}),
    ),

    async getPlaceTree(_request, { workspaceId }) {
      return { places: (await getPlaceTree(context, workspaceId)).map(encodePlaceNode) };
    },

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
