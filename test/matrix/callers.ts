import { type Api, createApi, type DemoWorkspace } from "@asset-register/harness/client";
import { fromElsewhere } from "./answers.ts";
import { unique } from "./records.ts";
import type { Route } from "./routes.ts";

export type Session = { access_token: string; refresh_token: string; device_uuid: string };
export type Person = { email: string; password: string };

/** Who sends a request; a person on surface B. */
export type Caller = { credential: string; person?: Person };

export type Callers = {
  /** Holds what the route asks for, and nothing else; `own`: nobody else has this one. */
  exact(route: Route, own?: boolean): Promise<Caller>;
  /** Holds everything but what the route asks for. */
  others(route: Route): Promise<Caller>;
  /** Holds everything that its surface knows. */
  strongest(route: Pick<Route, "surface">): Promise<Caller>;
  signIn(person: Person): Promise<Session>;
  /** Somebody who may sign in, and nothing more. */
  newcomer(): Promise<Person>;
  /** The token of an invitation that stands. */
  invitation(): Promise<string>;
};

export type WaysIn = {
  people: Pick<Api, "get" | "post">;
  programs: Api;
  newDevice(): Promise<string>;
  session(): Promise<Caller>;
  key: Caller;
};

/** Of the 10 minutes of an access token: a slow machine takes longer than those to ask every route. */
const RENEWED_AFTER_MS = 240_000;

function renewed<T>(make: () => Promise<T>): () => Promise<T> {
  let held: { made: Promise<T>; until: number } | undefined;
  return () => {
    const now = performance.now();
    if (held === undefined || held.until < now) held = { made: make(), until: now + RENEWED_AFTER_MS };
    return held.made;
  };
}

export async function signIn(origin: string, { email, password }: Person): Promise<Session> {
  return createApi(`${origin}/asset_manager_api`).post<Session>(
    "/login",
    { email, password },
    fromElsewhere(),
  );
}

async function callerOf(origin: string, person: Person): Promise<Caller> {
  return { credential: (await signIn(origin, person)).access_token, person };
}

/** The ways into a demo workspace. */
export function enter(origin: string, { email, password, api_key }: DemoWorkspace): WaysIn {
  const person = { email, password };
  const session = renewed(() => callerOf(origin, person));
  const people = async () => createApi(`${origin}/asset_manager_api`, (await session()).credential);
  return {
    people: {
      get: async (path) => (await people()).get(path),
      post: async (...request) => (await people()).post(...request),
    },
    programs: createApi(`${origin}/v1`, api_key),
    newDevice: async () => (await signIn(origin, person)).device_uuid,
    session,
    key: { credential: api_key },
  };
}

/** Keys and people with each right that any route asks for. */
export function createCallers(origin: string, { people, session, key }: WaysIn, routes: Route[]): Callers {
  const scopes = new Set(routes.flatMap(({ access }) => ("scope" in access ? access.scope : [])));
  const capabilities = new Set<string>(
    routes.flatMap(({ access }) => ("capability" in access ? access.capability : [])),
  );
  const made = new Map<string, Promise<() => Promise<Caller>>>();

  async function keyWith(rights: string[]): Promise<Caller> {
    const { key } = await people.post<{ key: string }>("/api-keys", { name: "Matrix", scopes: rights });
    return { credential: key };
  }

  function invite(email: string, rights: string[]): Promise<{ token: string }> {
    const admin = rights.includes("admin");
    return people.post("/users", { email, name: "Ada", admin, capabilities: admin ? [] : rights });
  }

  async function personWith(rights: string[]): Promise<Person> {
    const person = { email: `${unique()}@example.com`, password: `${unique()}-${unique()}` };
    const { token } = await invite(person.email, rights);
    const accepted = { token, name: "Ada", password: person.password };
    await createApi(`${origin}/asset_manager_api`).post("/invitations/accept", accepted, fromElsewhere());
    return person;
  }

  async function make({ surface }: Pick<Route, "surface">, rights: string[]): Promise<() => Promise<Caller>> {
    if (surface !== "a") {
      const person = await personWith(rights);
      return renewed(() => callerOf(origin, person));
    }
    const key = await keyWith(rights);
    return async () => key;
  }

  async function callerWith(route: Pick<Route, "surface">, rights: string[], own = false): Promise<Caller> {
    const name = `${route.surface} ${rights.join(" ")}`;
    const way = (own ? undefined : made.get(name)) ?? make(route, rights);
    if (!own) made.set(name, way);
    return (await way)();
  }

  return {
    exact: (route, own) => callerWith(route, neededBy(route), own),
    others(route) {
      const [needed] = neededBy(route);
      const known = route.surface === "a" ? scopes : capabilities;
      // An admin lacks nothing.
      return callerWith(route, [...known].filter((right) => right !== needed && right !== "admin").sort());
    },
    strongest: async ({ surface }) => (surface === "a" ? key : session()),
    signIn: (person) => signIn(origin, person),
    invitation: async () => (await invite(`${unique()}@example.com`, [])).token,
    async newcomer() {
      const { person } = await callerWith({ surface: "b" }, []);
      if (person === undefined) throw new Error("a caller of surface B is a person");
      return person;
    },
  };
}

/** A key has to have some scope: one that finds nothing stands for none. */
function neededBy({ access, surface }: Route): string[] {
  if ("scope" in access) return [access.scope];
  if ("capability" in access) return [access.capability];
  return surface === "a" ? ["finance"] : [];
}
