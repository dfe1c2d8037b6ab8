import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeChangePassword, decodeLogin, decodeRefresh } from "../decode/session.ts";
import { encodeFirstStep, encodeSignIn } from "../encode/session.ts";
import { encodeUser } from "../encode/user.ts";
import { changePassword } from "../operations/sessions/change-password.ts";
import { login } from "../operations/sessions/login.ts";
import { logout } from "../operations/sessions/logout.ts";
import { refresh } from "../operations/sessions/refresh.ts";

/** No answer of a sign-in or a refresh is stored. A refresh derives its answer from the Idempotency-Key. */
export function sessionService(context: Context): Implementation {
  const { stores, now } = context;
  return implement(SessionService, {
    async login(request, call) {
      return encodeFirstStep(await login(context, decodeLogin(request), call), now());
    },

    async refresh(request, call) {
      return encodeSignIn(await refresh(context, decodeRefresh(request), call), now());
    },

    async logout(_request, call) {
      await logout(context, call);
      return {};
    },

    changePassword: command(
      decodeChangePassword,
      (input, call) => changePassword(context, input, call),
      () => ({}),
    ),

    async getMe(_request, { principal }) {
      if (principal.kind !== "user") throw unauthenticated();
      const user = await stores.users.get(principal.workspaceId, principal.id);
      if (user === undefined) throw unauthenticated();
      return { user: encodeUser(user), deviceUuid: principal.deviceUuid };
    },
  });
}
