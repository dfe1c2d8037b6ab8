import type { JsonObject } from "@bufbuild/protobuf";
import { addPasskey, addTotp, codeOf, loginWithCode, memberWithPasskey, newPasskey } from "./factors.ts";
import { unique } from "./records.ts";
import type { RequestContext, RouteOverride } from "./route-override.ts";
import { randomClientAddress } from "./send.ts";

type Options = { options: JsonObject };

const ownTotp = ({ factory, caller }: RequestContext) => addTotp(factory.as(caller.credential));

const ofOwnPasskey: RouteOverride = {
  changesFactors: true,
  endsSession: true,
  params: {
    id: async ({ factory, caller }) => (await addPasskey(factory, factory.as(caller.credential))).id,
  },
};

/** The workspace has a connection. Its provider can't be reached. */
const withConnection: RouteOverride = {
  async query({ factory: { userApi } }) {
    await userApi.call("PUT", "/sso", { issuer: "https://login.example.org" });
    return {};
  },
};

/** Sign-in, second factors, passwords, addresses and single sign-on. */
export const signInOverrides: Record<string, RouteOverride> = {
  "GET /asset_manager_api/sso": withConnection,
  "PUT /asset_manager_api/sso": { notReferences: ["client_id"] },
  "DELETE /asset_manager_api/sso": withConnection,
  "POST /asset_manager_api/sso/test": { ...withConnection, ignoresIdempotencyKey: true },
  "POST /asset_manager_api/sso/domains": {
    body: (given) => ({ ...given, domain: `${unique()}.example.org` }),
  },
  "POST /asset_manager_api/login": {
    body: async (given, { callers }) => {
      const { email, password } = await callers.userWithoutRights();
      return { ...given, email, password };
    },
  },
  "POST /asset_manager_api/login/mfa": {
    body: async (_given, { factory }) => loginWithCode(factory),
  },
  "POST /asset_manager_api/login/passkey": {
    body: async (_given, { factory }) => {
      const { authenticator } = await memberWithPasskey(factory);
      const { options } = await factory
        .as("")
        .post<Options>("/login/passkey/options", {}, randomClientAddress());
      return { assertion: authenticator.get(options) };
    },
  },
  "POST /asset_manager_api/me/mfa/totp/confirm": {
    changesFactors: true,
    endsSession: true,
    body: async (_given, { factory, caller }) => {
      const { secret } = await factory.as(caller.credential).post<{ secret: string }>("/me/mfa/totp");
      return { code: codeOf(secret) };
    },
  },
  "DELETE /asset_manager_api/me/mfa/totp": { changesFactors: true, endsSession: true, prepare: ownTotp },
  "POST /asset_manager_api/me/mfa/recovery-codes": {
    changesFactors: true,
    endsSession: true,
    prepare: ownTotp,
  },
  "POST /asset_manager_api/me/passkeys": {
    changesFactors: true,
    endsSession: true,
    body: async (given, { factory, caller }) => ({
      ...given,
      registration: (await newPasskey(factory, factory.as(caller.credential))).registration,
    }),
  },
  "PATCH /asset_manager_api/me/passkeys/:id": ofOwnPasskey,
  "DELETE /asset_manager_api/me/passkeys/:id": ofOwnPasskey,
  "POST /asset_manager_api/me/reauthenticate": {
    body: (_given, { caller }) => ({ password: caller.user?.password }),
  },
  "POST /asset_manager_api/auth/refresh": {
    // The new token is derived from the key. So the response is the same, without a stored response to replay.
    ignoresIdempotencyKey: true,
    // It says whose the token must be, and finds nobody.
    notReferences: ["user_id"],
    body: async (_given, { callers }) => {
      const { refresh_token, device_uuid } = await callers.signIn(await callers.userWithoutRights());
      return { refresh: refresh_token, device_uuid };
    },
  },
  "POST /asset_manager_api/logout": { endsSession: true },
  "POST /asset_manager_api/me/password": {
    endsSession: true,
    body: (given, { caller }) => ({
      ...given,
      current_password: caller.user?.password,
      new_password: `${unique()}-${unique()}`,
    }),
  },
  "POST /asset_manager_api/invitations/accept": {
    body: async (given, { callers }) => ({
      ...given,
      token: await callers.invitation(),
      password: `${unique()}-${unique()}`,
    }),
  },
  "POST /asset_manager_api/password/forgot": {
    ignoresIdempotencyKey: true,
    body: async (_given, { callers }) => ({ email: (await callers.userWithoutRights()).email }),
  },
  "POST /asset_manager_api/password/reset": {
    ignoresIdempotencyKey: true,
    body: async (_given, { callers }) => ({
      token: await callers.passwordReset(),
      new_password: `${unique()}-${unique()}`,
    }),
  },
  "POST /asset_manager_api/me/email": {
    // A user may request 5 addresses in an hour.
    endsSession: true,
    body: (_given, { caller }) => ({
      email: `${unique()}@example.com`,
      password: caller.user?.password,
    }),
  },
  "POST /asset_manager_api/me/email/confirm": {
    ignoresIdempotencyKey: true,
    body: async (_given, { callers }) => ({ token: await callers.emailChange() }),
  },
  "POST /asset_manager_api/users/:id/password-reset": {
    params: { id: ({ callers }) => callers.member() },
  },
  "POST /asset_manager_api/devices/:uuid/revoke": {
    params: { uuid: async ({ caller: { user }, callers }) => (await callers.signIn(user!)).device_uuid },
  },
};
