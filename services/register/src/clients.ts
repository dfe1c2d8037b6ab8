import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Call, createRpcClient, type ServiceIdentity } from "@asset-register/rpc";
import type { Address, Logger, Metrics } from "@asset-register/runtime";

/** What this service asks of identity. */
export type Users = {
  /** Whether the caller's workspace has a user of this id. */
  has(id: string, call: Call): Promise<boolean>;
  close(): void;
};

type Options = { address: Address; identity: ServiceIdentity; metrics: Metrics; logger: Logger };

/** Connects to the identity service. */
export function connectUsers(options: Options): Users {
  const directory = createRpcClient(UserDirectoryService, { ...options, deadlineMs: 3_000 });
  return {
    async has(id, call) {
      const { workspaceId } = call;
      const { existingIds } = await directory.resolveUsers({ workspaceId, userIds: [id] }, { call });
      return existingIds.includes(id);
    },
    close: () => directory.close(),
  };
}
