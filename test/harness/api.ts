/** The content of .local/demo.json, which `npm start` writes. */
export type Demo = DemoWorkspace & { base_url: string; other: DemoWorkspace };
export type DemoWorkspace = { email: string; password: string; workspace_id: string; api_key: string };

/** A complete response. `body` is parsed JSON, or undefined if the response has no body. */
export type Answer = { status: number; headers: Headers; body: unknown };

/** A client of one surface with one credential. `get` and `post` throw for a status of 300 or above, `call` does not. */
export type Api = {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
};

/**
 * Creates a client.
 * @param base the URL of the surface, for example `http://127.0.0.1:8080/v1`
 * @param credential is sent in the Authorization header; an empty one is not sent. A function is called for each request.
 */
export function createApi(base: string, credential: string | (() => Promise<string>) = ""): Api {
  const call: Api["call"] = async (method, path, body, headers = {}) => {
    const sent = typeof credential === "string" ? credential : await credential();
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      headers: {
        ...(sent !== "" && { authorization: `Bearer ${sent}` }),
        ...(body !== undefined && !(body instanceof FormData) && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  };
  const succeed = async <T>(...request: Parameters<Api["call"]>): Promise<T> => {
    const { status, body } = await call(...request);
    if (status >= 300)
      throw new Error(`${request[0]} ${request[1]} returned ${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  return {
    call,
    get: (path) => succeed("GET", path),
    post: (path, body, headers) => succeed("POST", path, body, headers),
  };
}

const isSentAsItIs = (body: unknown): body is string | FormData =>
  typeof body === "string" || body instanceof FormData;

/** An access token is valid for 10 minutes. */
const SIGN_IN_EVERY_MS = 300_000;

/** Creates a client of surface B for a user. It signs in at its first request, and again when its session is old. */
export function createUserApi(origin: string, user: { email: string; password: string }): Api {
  const base = `${origin}/asset_manager_api`;
  let session: { token: Promise<string>; since: number } | undefined;

  async function signIn(): Promise<string> {
    const { email, password } = user;
    return (await createApi(base).post<{ access_token: string }>("/login", { email, password })).access_token;
  }

  return createApi(base, () => {
    if (session === undefined || Date.now() - session.since > SIGN_IN_EVERY_MS)
      session = { token: signIn(), since: Date.now() };
    const { token } = session;
    return token.catch((error: unknown) => {
      // The next request signs in again.
      if (session?.token === token) session = undefined;
      throw error;
    });
  });
}
