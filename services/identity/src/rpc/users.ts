import type { Capability as CapabilityCode } from "@asset-register/proto/assetregister/common/v1/access_pb";
import {
  type AcceptInvitationRequest,
  type InviteUserRequest,
  type UpdateUserRequest,
  UserService,
  UserStatus,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import {
  type Capability,
  capabilityNames,
  command,
  type Implementation,
  implement,
} from "@asset-register/rpc";
import { invalid, notFound } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import type { NewInvitation, UserChange } from "../domain/user.ts";
import { userAccountMessage } from "../encode.ts";
import { acceptInvitation, invitationKeyOwner } from "../operations/accept-invitation.ts";
import { inviteUser } from "../operations/invite-user.ts";
import { type UpdateUser, updateUser } from "../operations/update-user.ts";
import { pageInfo, pageOf } from "./page.ts";

export function userRpc(identity: Identity): Implementation {
  return implement(UserService, {
    listUsers: async ({ page }, { workspaceId }) => {
      const list = await identity.users.list(workspaceId, pageOf(page));
      return { users: list.items.map(userAccountMessage), page: pageInfo(list) };
    },

    getUser: async ({ id }, { workspaceId }) => {
      const user = await identity.users.find(workspaceId, id);
      if (user === undefined) throw notFound();
      return { user: userAccountMessage(user) };
    },

    inviteUser: command(
      decodeInvitation,
      (input, call) => inviteUser(identity, input, call),
      ({ user, token }) => ({ user: userAccountMessage(user), token }),
    ),

    updateUser: command(
      decodeChange,
      (input, call) => updateUser(identity, input, call),
      (user) => ({ user: userAccountMessage(user) }),
    ),

    acceptInvitation: command(
      ({ token, name, password, clientAddress }) => ({ token, name, password, clientAddress }),
      (input, call) => acceptInvitation(identity, input, call),
      (user) => ({ user: userAccountMessage(user) }),
      {
        anonymousOwner: (request: AcceptInvitationRequest) => invitationKeyOwner(identity, request),
        // A phone repeats from another network.
        circumstances: ["clientAddress"],
      },
    ),
  });
}

function decodeInvitation({ email, name, capabilities, admin }: InviteUserRequest): NewInvitation {
  const named = decodeCapabilities(capabilities);
  return { email, name, capabilities: named, admin: admin || named.includes("admin") };
}

function decodeChange(request: UpdateUserRequest): UpdateUser {
  const { id, name, admin, ifRevIn } = request;
  return {
    id,
    name,
    admin,
    capabilities: request.capabilities && decodeCapabilities(request.capabilities.capabilities),
    status: decodeStatus(request.status),
    ifRevIn,
  };
}

function decodeCapabilities(codes: readonly CapabilityCode[]): Capability[] {
  return codes.map((code, index) => {
    const name = capabilityNames.decode(code);
    if (name === undefined) {
      throw invalid([{ field: `capabilities.${index}`, message: "is not a known capability" }]);
    }
    return name;
  });
}

function decodeStatus(status: UserStatus | undefined): UserChange["status"] {
  switch (status) {
    case undefined:
      return undefined;
    case UserStatus.ACTIVE:
      return "active";
    case UserStatus.DISABLED:
      return "disabled";
    default:
      throw invalid([{ field: "status", message: "must be active or disabled" }]);
  }
}
