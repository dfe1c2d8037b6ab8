import { FinanceDirectoryService } from "@asset-register/proto/assetregister/finance/v1/finance_directory_pb";
import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { TagDirectoryService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { type Actor, type Call, createRpcClient } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";
import type { EnsuredCode } from "./domain/labels/judge-label.ts";

/** The sheet of labels that needs codes. */
type LabelCause = { workspaceId: string; causeId: string; by: Actor; requestId: string };

export type Clients = ReturnType<typeof connectClients>;

/** The calls of this service to other services. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { IDENTITY_ADDRESS, TAGGING_INGEST_ADDRESS, FINANCE_ADDRESS }: Config,
) {
  const shared = { identity, logger, metrics, deadlineMs: 3_000 };
  const users = createRpcClient(UserDirectoryService, { address: IDENTITY_ADDRESS, ...shared });
  const tags = createRpcClient(TagDirectoryService, { address: TAGGING_INGEST_ADDRESS, ...shared });
  const finance =
    FINANCE_ADDRESS === undefined
      ? undefined
      : createRpcClient(FinanceDirectoryService, { address: FINANCE_ADDRESS, ...shared });
  return {
    /** Whether the caller's workspace has a user of this id. */
    async hasUser(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const { existingIds } = await users.resolveUsers({ workspaceId, userIds: [id] }, { call });
      return existingIds.includes(id);
    },
    /**
     * Whether depreciation of an asset was posted, in either book. Undefined without a configured finance service.
     *
     * @throws AppError UNAVAILABLE
     */
    async hasPostedDepreciation(assetId: string, call: Call): Promise<boolean | undefined> {
      const { workspaceId } = call;
      return (await finance?.hasPostedDepreciation({ workspaceId, assetId }, { call }))?.hasPosted;
    },

    /**
     * The codes of the labels of up to 1000 assets. With `bindMissing` those without one get a tag, once for the cause.
     *
     * @throws AppError UNAVAILABLE
     */
    async ensureCodes(
      { workspaceId, causeId, by, requestId }: LabelCause,
      assetIds: string[],
      bindMissing: boolean,
    ): Promise<[assetId: string, ensured: EnsuredCode][]> {
      if (assetIds.length === 0) return [];
      const request = { workspaceId, causeId, assetIds, bindMissing };
      const onBehalfOf = { workspaceId, actor: by };
      const { results } = await tags.ensureCodes(request, { onBehalfOf, requestId });
      return assetIds.map((id, index) => [id, results[index] ?? {}]);
    },

    close(): void {
      users.close();
      tags.close();
      finance?.close();
    },
  };
}
