import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { Identity } from "../context.ts";

const MAX_IDS = 1000;

/** Answers to other services, which name the workspace themselves. */
export function userDirectoryRpc({ users }: Identity): Implementation {
  return implement(UserDirectoryService, {
    resolveUsers: async ({ workspaceId, userIds }) => {
      if (userIds.length > MAX_IDS) {
        throw invalid([{ field: "user_ids", message: `must name at most ${MAX_IDS}` }]);
      }
      return { existingIds: await users.existing(workspaceId, userIds) };
    },
  });
}
