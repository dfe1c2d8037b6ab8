import {
  type InviteUserResponse,
  UserService,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeAcceptInvitation, decodeInviteUser, decodeUpdateUser } from "../decode/user.ts";
import { encodeUserAccount } from "../encode/user.ts";
import { acceptInvitation, findInvitationKeyOwner } from "../operations/users/accept-invitation.ts";
import { inviteUser } from "../operations/users/invite-user.ts";
import { isOpenInvitation } from "../operations/users/is-open-invitation.ts";
import { updateUser } from "../operations/users/update-user.ts";

export function userService(context: Context): Implementation {
  const { stores } = context;
  return implement(UserService, {
    async listUsers({ page }, { workspaceId }) {
      const found = await stores.users.list(workspaceId, pageRequest(page));
      return { users: found.items.map(encodeUserAccount), page: pageInfo(found) };
    },

    async getUser({ id }, { workspaceId }) {
      return { user: encodeUserAccount(requireFound(await stores.users.get(workspaceId, id), "user")) };
    },

    inviteUser: command(
      decodeInviteUser,
      (input, call) => inviteUser(context, input, call),
      ({ user, token = "" }) => ({ user: encodeUserAccount(user), token }),
      {
        isSecretValid: ({ user, token }: InviteUserResponse, call) =>
          isOpenInvitation(context, user?.id ?? "", token, call),
      },
    ),

    updateUser: command(
      decodeUpdateUser,
      (input, call) => updateUser(context, input, call),
      (user) => ({ user: encodeUserAccount(user) }),
    ),

    acceptInvitation: command(
      decodeAcceptInvitation,
      (input, call) => acceptInvitation(context, input, call),
      (user) => ({ user: encodeUserAccount(user) }),
      {
        anonymousOwner: (request) => findInvitationKeyOwner(context, request),
        // A phone may repeat the request from another network.
        circumstances: ["clientAddress"],
      },
    ),
  });
}
