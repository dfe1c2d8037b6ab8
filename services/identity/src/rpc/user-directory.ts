import { UserDirectoryService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { Context } from "../context.ts";

const someUsers = z.object({ workspaceId: field.id(), userIds: field.ids() });

/** Answers to other services, which name the workspace themselves. */
export function userDirectoryService({ stores }: Context): Implementation {
  return implement(UserDirectoryService, {
    async resolveUsers(request) {
      const { workspaceId, userIds } = parse(someUsers, request);
      return { existingIds: await stores.users.existingIds(workspaceId, userIds) };
    },
  });
}
