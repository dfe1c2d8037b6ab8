import { deviceName } from "./device-name.ts";
import { ApiError, asApiError, networkError } from "./problem.ts";
import type { components, paths } from "./surface-b.d.ts";

/** A signed-in user. The access token is in memory only; the refresh token is a cookie that scripts can't read. */
export type SignedIn = {
  accessToken: string;
  /** When the access token ends, in milliseconds. */
  endsAt: number;
  user: components["schemas"]["User"];
  capabilities: readonly string[];
};

type State =
  | { status: "unknown" | "signed-out" }
  | { status: "signed-in"; session: SignedIn }
  /** It ended while its user was at work: what is on the page stays until somebody signs in. */
  | { status: "ended"; session: SignedIn };

/** A message to the other tabs. Each tab has a page of its own that stays when the session ends. */
type Told = Extract<State, { status: "signed-in" }> | { status: "signed-out" } | { status: "ended" };

/** The user whose page is shown. */
const userOf = (state: State): string | undefined => ("session" in state ? state.session.user.id : undefined);

type Stored = {
  deviceUuid: string;
  userId?: string;
  /**
   * The Idempotency-Key of a refresh whose answer is not known. The next attempt has it too, also after a reload: with
   * another key, the token would be one that is spent already, and the session would end.
   */
  refreshKey?: string;
};

/** The challenge of the first step, and one proof. */
type SecondStep = paths["/login/mfa"]["post"]["requestBody"]["content"]["application/json"];

const BASE = "/asset_manager_api";
/** Holds no secret: the id of this browser, and who signed in last. */
const STORED = "asset-register.device";
/** Tabs refresh one after the other, and tell the others the new token. */
const LOCK = "asset-register.refresh";
const CHANNEL = "asset-register.session";
/** The access token is swapped this long before it ends. */
const EARLY_MS = 60_000;
/** Pauses before a session is given up that can't be continued just now. */
const RESTORE_MS = [500, 2_000];
/** Only these say that the session has ended. After any other error it may continue. */
const ENDED = [401, 403];

/**
 * The session of this browser (sign-in.md, "In a browser"). Screens read it by `useSession`; requests take their token
 * from `accessToken`.
 */
export function createSession() {
  let state: State = { status: "unknown" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refreshing: Promise<string | undefined> | undefined;
  const listeners = new Set<() => void>();
  const channel = new BroadcastChannel(CHANNEL);

  const set = (next: State): void => {
    const [before, after] = [userOf(state), userOf(next)];
    if (before !== undefined && after !== undefined && before !== after) {
      // Another user must not see what this one has read or typed.
      window.location.reload();
      return;
    }
    state = next;
    clearTimeout(timer);
    if (next.status === "signed-in") {
      const { session } = next;
      // If it fails, the next request that gets 401 tries again.
      const swap = () => void refresh().catch(() => undefined);
      timer = setTimeout(swap, Math.max(1_000, session.endsAt - Date.now() - EARLY_MS));
    }
    for (const listener of listeners) listener();
  };

  const apply = (told: Told): void => {
    if (told.status !== "ended") set(told);
    else if ("session" in state) set({ status: "ended", session: state.session });
    // A page without a user has nothing that must stay.
    else set({ status: "signed-out" });
  };

  channel.onmessage = ({ data }: MessageEvent<Told>) => apply(data);

  const announce = (told: Told): void => {
    apply(told);
    channel.postMessage(told);
  };

  const begin = (body: components["schemas"]["Session"]): SignedIn => {
    const session: SignedIn = {
      accessToken: body.access_token,
      endsAt: Date.now() + body.expires_in * 1_000,
      user: body.user,
      capabilities: body.capabilities,
    };
    store({ deviceUuid: body.device_uuid, userId: body.user.id });
    announce({ status: "signed-in", session });
    return session;
  };

  /** Undefined if the session has ended. Without a network the session stays. */
  const refreshOnce = async (used: string | undefined): Promise<string | undefined> =>
    navigator.locks.request(LOCK, async () => {
      if (state.status === "ended") return undefined;
      // Another tab has refreshed meanwhile.
      if (state.status === "signed-in" && state.session.accessToken !== used)
        return state.session.accessToken;
      const { deviceUuid, userId, refreshKey = crypto.randomUUID() } = stored();
      if (userId === undefined) {
        announce({ status: "ended" });
        return undefined;
      }
      store({ deviceUuid, userId, refreshKey });
      try {
        const body = await post<components["schemas"]["Session"]>(
          "/auth/refresh",
          { cookie: true, device_uuid: deviceUuid, user_id: userId },
          { "idempotency-key": refreshKey },
        );
        return begin(body).accessToken;
      } catch (error) {
        if (!(error instanceof ApiError) || !ENDED.includes(error.status)) throw error;
        store({ deviceUuid, userId });
        announce({ status: "ended" });
        return undefined;
      }
    });

  /** After the end of a session, the token with which the same user goes on. */
  const signedInAgain = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (state.status === "ended") return;
        listeners.delete(check);
        resolve(state.status === "signed-in" ? state.session.accessToken : undefined);
      };
      listeners.add(check);
      check();
    });

  const refresh = async (): Promise<string | undefined> => {
    const used = state.status === "signed-in" ? state.session.accessToken : undefined;
    refreshing ??= refreshOnce(used).finally(() => {
      refreshing = undefined;
    });
    const token = await refreshing;
    return token ?? (await signedInAgain());
  };

  const device = () => ({
    device_uuid: stored().deviceUuid,
    label: deviceName(navigator.userAgent) ?? navigator.userAgent.slice(0, 100),
    platform: "web",
  });

  /** Begins the session of an answer, after the refreshes of other tabs: they are refused, and would end the new one. */
  const beginWith = (path: string, body: object): Promise<void> =>
    navigator.locks.request(LOCK, async () => {
      begin(await post<components["schemas"]["Session"]>(path, { ...body, cookie: true }));
    });

  return {
    get: (): State => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    accessToken: (): string | undefined =>
      state.status === "signed-in" ? state.session.accessToken : undefined,
    /** Swaps the token. It waits while the user is asked to sign in again; undefined without a session. */
    refresh,
    /** Continues the session of an earlier visit. Where that is not possible, the sign-in page is shown. */
    async restore(): Promise<void> {
      for (const pauseMs of [...RESTORE_MS, undefined]) {
        try {
          await refresh();
          return;
        } catch {
          if (pauseMs === undefined) set({ status: "signed-out" });
          else await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
      }
    },
    /** @throws ApiError; MFA_REQUIRED with what `secondStep` needs */
    signIn: ({ email, password }: { email: string; password: string }): Promise<void> =>
      beginWith("/login", { email, password, ...device() }),
    /**
     * The second step of a sign-in.
     * @throws ApiError
     */
    secondStep: (proof: SecondStep): Promise<void> => beginWith("/login/mfa", proof),
    /** @throws ApiError */
    passkeyOptions: async (): Promise<object> =>
      (await post<{ options: object }>("/login/passkey/options", {})).options,
    /** @throws ApiError */
    signInWithPasskey: (assertion: object): Promise<void> =>
      beginWith("/login/passkey", { assertion, ...device() }),
    /**
     * Ends a sign-in with a provider, with the code that the browser has come back with.
     * @throws ApiError; MFA_REQUIRED with what `secondStep` needs
     */
    exchange: (code: string): Promise<void> => beginWith("/sso/exchange", { code, ...device() }),
    async signOut(): Promise<void> {
      const token = "session" in state ? state.session.accessToken : "";
      await post("/logout", {}, { authorization: `Bearer ${token}` }).catch(() => undefined);
      store({ deviceUuid: stored().deviceUuid });
      announce({ status: "signed-out" });
    },
  };
}

/** @throws ApiError */
async function post<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(BASE + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-requested-with": "console", ...headers },
    body: JSON.stringify(body),
  }).catch(() => {
    throw networkError();
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw asApiError(response.status, answer);
  return answer as T;
}

function stored(): Stored {
  const text = localStorage.getItem(STORED);
  if (text !== null) return JSON.parse(text) as Stored;
  const fresh = { deviceUuid: crypto.randomUUID() };
  store(fresh);
  return fresh;
}

const store = (value: Stored): void => localStorage.setItem(STORED, JSON.stringify(value));
