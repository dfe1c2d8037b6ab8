import {
  CreateRecordResponseSchema,
  GetRecordResponseSchema,
  ListRecordsResponseSchema,
  OrganisationService,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { forbidden, notFound } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { encodePage } from "../encode/common.ts";
import { encodeRecord } from "../encode/organisation.ts";
import { createRecord } from "../operations/create-record.ts";
import type { Register } from "../register.ts";
import { decodeCollection, decodeRecord } from "./decode-record.ts";
import { parsePage } from "./parse.ts";

export function organisationService(register: Register): Implementation {
  const { stores } = register;
  return implement(OrganisationService, {
    createRecord: command(
      decodeRecord,
      (input, call) => createRecord(register, input, call),
      (record) => create(CreateRecordResponseSchema, { record: encodeRecord(record) }),
    ),

    async getRecord(request, { workspaceId }) {
      const kind = decodeCollection(request.collection);
      const record = await stores.organisation.get(workspaceId, kind, request.id);
      if (!record) throw notFound(`There is no such ${kind}.`);
      return create(GetRecordResponseSchema, { record: encodeRecord(record) });
    },

    async listRecords(request, { principal, workspaceId }) {
      const kind = decodeCollection(request.collection);
      // The scope locations:read opens this RPC to keys, for locations alone.
      if (principal.kind === "api_key" && kind !== "location") throw forbidden();
      const found = await stores.organisation.list(workspaceId, kind, parsePage(request.page));
      return create(ListRecordsResponseSchema, {
        records: found.items.map(encodeRecord),
        page: encodePage(found),
      });
    },
  });
}
