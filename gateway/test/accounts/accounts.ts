import { randomInt } from "node:crypto";
import { buildApp, configSchema } from "@asset-register/gateway";
import { type Api, createApi } from "@asset-register/harness/client";
import type { Implementation } from "@asset-register/rpc";
import { loadConfig } from "@asset-register/runtime";
import { startFakeService } from "@asset-register/service-harness";
import { password, startIdentity } from "../../../services/identity/test/support.ts";

export { password };

/** The answer of a sign-in or a refresh. */
export type SignedIn = {
  access_token: string;
  expires_in: number;
  refresh_token: string;
  refresh_expires_in: number;
  device_uuid: string;
  user: { id: string; name: string; email: string };
  capabilities: string[];
};

/** One session at the first gateway, and at the second. */
export type Held = { here: Api; there: Api };
export type Account = SignedIn & Held;

const NOWHERE = "127.0.0.1:1";

export type AccountsOptions = {
  /** Of identity and the gateways. */
  redisUrl?: string;
  /** Of the gateways. */
  settings?: Record<string, string>;
  /** A fake of the register, for tests that need one. */
  register?: Implementation[];
  /** Of identity. */
  identity?: Record<string, string>;
};

/** The real identity service behind two gateways. */
export async function startAccounts({
  redisUrl,
  settings: more = {},
  register,
  identity: own = {},
}: AccountsOptions = {}) {
  const identity = await startIdentity({
    ...own,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
  });
  const { privateKeyPem, trustedKeys } = identity.keys;
  const upstream = register && (await startFakeService("register", identity.keys, register));
  const settings = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HTTP_ADDRESS: "127.0.0.1:0",
    HEALTH_ADDRESS: "127.0.0.1:0",
    REDIS_URL: identity.env.REDIS_URL,
    // A busy test machine must not look like an unavailable Redis or an overload.
    REDIS_TIMEOUT: "20s",
    MAX_EVENT_LOOP_DELAY: "1h",
    UPSTREAM_DEADLINE: "20s",
    // All tests of a machine are one client network, and share its count in Redis.
    RATE_LIMIT_REFUSED: "1000000/1000000",
    SERVICE_PRIVATE_KEY: privateKeyPem.gateway,
    TRUSTED_KEYS: JSON.stringify(trustedKeys),
    TRUSTED_PROXIES: "127.0.0.1",
    IDENTITY_ADDRESS: `127.0.0.1:${identity.ports.grpc}`,
    REGISTER_ADDRESS: upstream?.address ?? NOWHERE,
    TAGGING_INGEST_ADDRESS: NOWHERE,
    NOTIFICATION_ADDRESS: NOWHERE,
    STOCKTAKE_ADDRESS: NOWHERE,
    MAINTENANCE_ADDRESS: NOWHERE,
    FINANCE_ADDRESS: NOWHERE,
    ...more,
  };
  const first = await buildApp(loadConfig(configSchema, settings));
  const second = await buildApp(loadConfig(configSchema, settings));
  await Promise.all([first.start(), second.start()]);
  const surfaceB = ({ url }: typeof first, token?: string) => createApi(`${url()}/asset_manager_api`, token);
  const anyone = surfaceB(first);

  const holding = (token: string): Held => ({
    here: surfaceB(first, token),
    there: surfaceB(second, token),
  });
  const signIn = async (email: string, part: Record<string, string> = {}): Promise<Account> => {
    const session = await anyone.post<SignedIn>("/login", { email, password, ...part }, elsewhere());
    return { ...session, ...holding(session.access_token) };
  };
  return {
    identity,
    /** The environment of the gateways, for another one. */
    settings,
    /** A client without a session, at the first gateway. */
    anyone,
    signIn,
    holding,
    /** A new workspace and its admin, signed in. */
    async workspace(name: string, part: Parameters<typeof identity.newWorkspace>[1] = {}) {
      const { workspace } = await identity.newWorkspace(name, part);
      return { workspaceId: workspace.id, admin: await signIn(`${name}@example.com`) };
    },
    /** A user of the admin's workspace, signed in. */
    async member(admin: Account, email: string, rights: { capabilities?: string[]; admin?: boolean } = {}) {
      const { token } = await admin.here.post<{ token: string }>("/users", { email, name: "Bob", ...rights });
      await anyone.post("/invitations/accept", { token, password }, elsewhere());
      return signIn(email);
    },
    /** Clients of surface A with a key, one for each gateway. */
    programs: (key: string): Api[] => [first, second].map(({ url }) => createApi(`${url()}/v1`, key)),
    async stop() {
      await Promise.all([first.stop(), second.stop()]);
      await upstream?.stop();
      await identity.stop();
    },
  };
}

export type Accounts = Awaited<ReturnType<typeof startAccounts>>;

/** Another address for each request: sign-ins are limited by address, and a test makes many. */
export const elsewhere = () => ({
  "x-forwarded-for": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
});

/** The status of GET /me at each gateway. */
export async function statuses({ here, there }: Held): Promise<number[]> {
  const answers = await Promise.all([here, there].map((api) => api.call("GET", "/me")));
  return answers.map(({ status }) => status);
}
