import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Call, createRpcClient } from "@asset-register/rpc";
import type { ServiceBase } from "@asset-register/service";
import type { Config } from "./config.ts";

export type Clients = ReturnType<typeof connectClients>;

/** What this service asks of others. */
export function connectClients(
  { identity, logger, metrics }: Pick<ServiceBase, "identity" | "logger" | "metrics">,
  { IDENTITY_ADDRESS: address }: Config,
) {
  const users = createRpcClient(UserDirectoryService, {
    ...{ address, identity, logger, metrics },
    deadlineMs: 3_000,
  });
  return {
    /** Whether the caller's workspace has a user of this id. */
    async hasUser(id: string, call: Call): Promise<boolean> {
      const { workspaceId } = call;
      const { existingIds } = await users.resolveUsers({ workspaceId, userIds: [id] }, { call });
      return existingIds.includes(id);
    },
    close: () => users.close(),
  };
}
