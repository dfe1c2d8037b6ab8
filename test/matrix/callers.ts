import { eventually } from "@asset-register/harness";
import { type Api, createApi, type DemoWorkspace } from "@asset-register/harness/client";
import { expect } from "vitest";
import type { Mails } from "../e2e/platform.ts";
import { patient } from "../simulator/retry.ts";
import { unique } from "./records.ts";
import type { Route } from "./routes.ts";
import { randomClientAddress } from "./send.ts";

export type Session = { access_token: string; refresh_token: string; device_uuid: string };
export type User = { email: string; password: string };

/** A credential, and on surface B the user who has it. */
export type Caller = { credential: string; user?: User };

export type Callers = {
  /** A caller with only the right that the route requires. `dedicated`: a new caller that no other test gets. */
  withRequiredRight(route: Route, dedicated?: boolean): Promise<Caller>;
  /** A caller with every right except the one that the route requires. */
  withoutRequiredRight(route: Route): Promise<Caller>;
  /** A caller with every right of its surface. */
  withAllRights(route: Pick<Route, "surface">): Promise<Caller>;
  signIn(user: User): Promise<Session>;
  /** A user without any capability. */
  userWithoutRights(): Promise<User>;
  /** The token of an open invitation. */
  invitation(): Promise<string>;
  /** A new active user. */
  member(): Promise<string>;
  /** The token of a password reset. */
  passwordReset(): Promise<string>;
  /** The mailed token of another email address. */
  emailChange(): Promise<string>;
};

/** Clients and credentials of an admin and an API key of one workspace. */
export type WorkspaceAccess = {
  userApi: Pick<Api, "call" | "get" | "post">;
  keyApi: Api;
  /** The API of surface B as the owner of another access token. */
  as(credential: string): Api;
  /** PUBLIC_URL of the platform, at which passkeys work. */
  publicUrl: string;
  newDevice(): Promise<string>;
  session(): Promise<Caller>;
  key: Caller;
};

/** Access tokens are valid for 10 minutes. On a slow machine the tests of all routes take longer. */
const RENEW_AFTER_MS = 240_000;

/** Calls `create` at the first use, and again when the result is older than RENEW_AFTER_MS. */
function renewed<T>(create: () => Promise<T>): () => Promise<T> {
  let current: { value: Promise<T>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (current === undefined || current.until < now)
      current = { value: create(), until: now + RENEW_AFTER_MS };
    const { value } = current;
    return value.catch((error: unknown) => {
      // The next call tries again.
      if (current?.value === value) current = undefined;
      throw error;
    });
  };
}

export async function signIn(origin: string, { email, password }: User): Promise<Session> {
  return createApi(`${origin}/asset_manager_api`).post<Session>(
    "/login",
    { email, password },
    randomClientAddress(),
  );
}

async function callerOf(origin: string, user: User): Promise<Caller> {
  return { credential: (await signIn(origin, user)).access_token, user };
}

/** The user with a session that is still valid. */
export const sessionsOf = (origin: string, user: User): (() => Promise<Caller>) =>
  renewed(() => callerOf(origin, user));

/** Opens a demo workspace with the credentials of its admin and its API key. */
export function openWorkspace(origin: string, { email, password, api_key }: DemoWorkspace): WorkspaceAccess {
  const user = { email, password };
  const session = sessionsOf(origin, user);
  // A service that does not know a new workspace yet answers 503, for longer on a busy machine.
  const userApi = async () => patient(createApi(`${origin}/asset_manager_api`, (await session()).credential));
  return {
    userApi: {
      call: async (...request) => (await userApi()).call(...request),
      get: async (path) => (await userApi()).get(path),
      post: async (...request) => (await userApi()).post(...request),
    },
    keyApi: patient(createApi(`${origin}/v1`, api_key)),
    as: (credential) => patient(createApi(`${origin}/asset_manager_api`, credential)),
    publicUrl: `http://localhost:${new URL(origin).port}`,
    newDevice: async () => (await signIn(origin, user)).device_uuid,
    session,
    key: { credential: api_key },
  };
}

/** API keys and users with each right that any route requires. They are created at their first use. */
export function createCallers(
  origin: string,
  { userApi, session, key }: WorkspaceAccess,
  routes: Route[],
  mails: Pick<Mails, "mailTo">,
): Callers {
  const scopes = new Set(routes.flatMap(({ access }) => ("scope" in access ? access.scope : [])));
  const capabilities = new Set<string>(
    routes.flatMap(({ access }) => ("capability" in access ? access.capability : [])),
  );
  const created = new Map<string, Promise<() => Promise<Caller>>>();

  async function createKey(rights: string[]): Promise<Caller> {
    const { key } = await userApi.post<{ key: string }>("/api-keys", { name: "Matrix", scopes: rights });
    return { credential: key };
  }

  function invite(email: string, rights: string[]): Promise<{ token: string }> {
    const admin = rights.includes("admin");
    return userApi.post("/users", { email, name: "Ada", admin, capabilities: admin ? [] : rights });
  }

  async function createUser(rights: string[]): Promise<User & { id: string }> {
    const user = { email: `${unique()}@example.com`, password: `${unique()}-${unique()}` };
    const { token } = await invite(user.email, rights);
    const accepted = { token, name: "Ada", password: user.password };
    const surfaceB = createApi(`${origin}/asset_manager_api`);
    const { id } = await surfaceB.post<{ id: string }>(
      "/invitations/accept",
      accepted,
      randomClientAddress(),
    );
    return { ...user, id };
  }

  async function createCaller(
    { surface }: Pick<Route, "surface">,
    rights: string[],
  ): Promise<() => Promise<Caller>> {
    if (surface !== "a") {
      const user = await createUser(rights);
      return sessionsOf(origin, user);
    }
    const key = await createKey(rights);
    return async () => key;
  }

  async function callerWith(
    route: Pick<Route, "surface">,
    rights: string[],
    dedicated = false,
  ): Promise<Caller> {
    const name = `${route.surface} ${rights.join(" ")}`;
    const caller = (dedicated ? undefined : created.get(name)) ?? createCaller(route, rights);
    if (!dedicated) created.set(name, caller);
    return (await caller)();
  }

  const member = async (): Promise<string> => (await createUser([])).id;

  return {
    withRequiredRight: (route, dedicated) => callerWith(route, requiredRights(route), dedicated),
    withoutRequiredRight(route) {
      const [required] = requiredRights(route);
      const all = route.surface === "a" ? scopes : capabilities;
      // Without "admin", because an admin has every right.
      const others = [...all].filter((right) => right !== required && right !== "admin");
      return callerWith(route, others.sort());
    },
    withAllRights: async ({ surface }) => (surface === "a" ? key : session()),
    signIn: (user) => signIn(origin, user),
    member,
    async passwordReset() {
      const path = `/users/${await member()}/password-reset`;
      return (await userApi.post<{ token: string }>(path)).token;
    },
    async emailChange() {
      const user = await createUser([]);
      const { access_token } = await signIn(origin, user);
      const email = `${unique()}@example.com`;
      await createApi(`${origin}/asset_manager_api`, access_token).post("/me/email", {
        ...{ email, password: user.password },
      });
      return eventually(() => {
        const [, token] = /#(ec_[\w-]+)/.exec(mails.mailTo(email)?.text ?? "") ?? [];
        expect(token).toBeDefined();
        return token ?? "";
      });
    },
    invitation: async () => (await invite(`${unique()}@example.com`, [])).token,
    async userWithoutRights() {
      const { user } = await callerWith({ surface: "b" }, []);
      if (user === undefined) throw new Error("a caller of surface B is a user");
      return user;
    },
  };
}

/** The right that a route requires. An API key must have a scope: for a route without one it is "finance". */
function requiredRights({ access, surface }: Route): string[] {
  if ("scope" in access) return [access.scope];
  if ("capability" in access) return [access.capability];
  return surface === "a" ? ["finance"] : [];
}
