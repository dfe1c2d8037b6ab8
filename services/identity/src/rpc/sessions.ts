import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { signInMessage, userMessage } from "../encode.ts";
import { changePassword } from "../operations/change-password.ts";
import { login } from "../operations/login.ts";
import { logout } from "../operations/logout.ts";
import { refresh } from "../operations/refresh.ts";

/** A sign-in is never replayed, and a refresh derives its answer from the key instead of storing it. */
export function sessionRpc(identity: Identity): Implementation {
  return implement(SessionService, {
    login: async (request, call) => {
      const { email, password, clientAddress, deviceUuid, label, platform, appVersion } = request;
      const device = { deviceUuid, label, platform, appVersion };
      const signIn = await login(identity, { email, password, clientAddress, device }, call);
      return signInMessage(signIn, identity.clock());
    },

    refresh: async ({ refreshToken, deviceUuid, idempotencyKey, clientAddress }, call) => {
      const input = { refreshToken, deviceUuid, idempotencyKey, clientAddress };
      const signIn = await refresh(identity, input, call);
      return signInMessage(signIn, identity.clock());
    },

    logout: async (_request, call) => {
      await logout(identity, call);
      return {};
    },

    changePassword: command(
      ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
      (input, call) => changePassword(identity, input, call),
      () => ({}),
    ),

    getMe: async (_request, { principal }) => {
      if (principal.kind !== "user") throw unauthenticated();
      const user = await identity.users.find(principal.workspaceId, principal.id);
      if (user === undefined) throw unauthenticated();
      return { user: userMessage(user), deviceUuid: principal.deviceUuid };
    },
  });
}
