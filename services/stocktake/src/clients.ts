import {
  AssetDirectoryService,
  ScopeType,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import {
  OrganisationDirectoryService,
  OrganisationKind,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { type Call, createRpcClient, enumNames } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";
import { connectCountClients } from "./count-clients.ts";
import type { Scope, ScopeType as ScopeName } from "./domain/session.ts";

export type Clients = ReturnType<typeof connectClients>;

/** Assets on one page of a scope. */
const SCOPE_PAGE = 1_000;

const scopeTypes = enumNames(ScopeType);
const kinds = enumNames(OrganisationKind);

/** The calls of this service to other services. */
export function connectClients(base: Pick<ServiceBase, "identity" | "logger" | "metrics">, config: Config) {
  const { identity, logger, metrics } = base;
  const { REGISTER_ADDRESS: address } = config;
  const counts = connectCountClients(base, config);
  const register = { address, identity, logger, metrics };
  const assets = createRpcClient(AssetDirectoryService, register);
  const records = createRpcClient(OrganisationDirectoryService, register);
  const scopeOf = ({ scopeType, scopeId }: Scope) => ({ scopeType: scopeTypes.encode(scopeType), scopeId });

  return {
    ...counts,
    /** Whether the caller's workspace has the record that a scope names. */
    async hasScope(type: Exclude<ScopeName, "all">, id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const request = { workspaceId, kind: kinds.encode(type), ids: [id] };
      return (await records.resolveRecords(request, { call })).existingIds.includes(id);
    },

    /**
     * How many assets of a scope are to be counted.
     * @throws AppError NOT_FOUND on scope_id, TREE_TOO_LARGE
     */
    async countScope(scope: Scope, call: Call): Promise<number> {
      const { workspaceId } = call;
      const request = { workspaceId, ...scopeOf(scope), toCount: true, limit: 1 };
      return (await assets.listScope(request, { call })).total ?? 0;
    },

    /** One page of the assets of a scope that are to be counted, in order of id. The first one has the total. */
    listScope(
      workspaceId: string,
      scope: Scope,
      { afterId, signal }: { afterId: string | undefined; signal: AbortSignal },
    ) {
      const request = { workspaceId, ...scopeOf(scope), toCount: true, afterId, limit: SCOPE_PAGE };
      return assets.listScope(request, { signal });
    },

    /** Which of these locations the caller's workspace has. */
    async existingLocations(locationIds: string[], call: Call): Promise<Set<string>> {
      if (locationIds.length === 0) return new Set();
      const { workspaceId } = call;
      const { existingIds } = await assets.resolveLocations({ workspaceId, locationIds }, { call });
      return new Set(existingIds);
    },

    close(): void {
      for (const client of [assets, records, counts]) client.close();
    },
  };
}
