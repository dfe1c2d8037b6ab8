import { FinanceDirectoryService } from "@asset-register/proto/assetregister/finance/v1/finance_directory_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { Context } from "../context.ts";
import { hasRows } from "../domain/ledger/ledger.ts";
import { readProfiles } from "../operations/profiles/read-known-assets.ts";

const oneAsset = z.object({ workspaceId: field.id(), assetId: field.id() });

/** Answers to other services, which name the workspace themselves. */
export function financeDirectoryService(context: Context): Implementation {
  return implement(FinanceDirectoryService, {
    async hasPostedDepreciation(request) {
      const { workspaceId, assetId } = parse(oneAsset, request);
      const profiles = await readProfiles(context, workspaceId, [assetId]);
      return { hasPosted: profiles.some(({ carry }) => hasRows(carry) || carry.accumulated !== 0) };
    },
  });
}
