import {
  OrganisationDirectoryService,
  ResolveRecordsResponseSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { create } from "@bufbuild/protobuf";
import { z } from "zod";
import type { Register } from "../register.ts";
import { decodeCollection } from "./decode-record.ts";
import { parse, requiredReference, someIds } from "./parse.ts";

const someRecords = z.object({ workspaceId: requiredReference, ids: someIds });

/** Answers to other services, which name the workspace themselves. */
export function organisationDirectoryService({ stores }: Register): Implementation {
  return implement(OrganisationDirectoryService, {
    async resolveRecords(request) {
      const kind = decodeCollection(request.collection);
      const { workspaceId, ids } = parse(someRecords, request);
      const records = await stores.organisation.getMany(workspaceId, ids);
      const existing = [...records.values()].filter((record) => record.kind === kind);
      return create(ResolveRecordsResponseSchema, { existingIds: existing.map(({ id }) => id) });
    },
  });
}
