/** What `npm start` writes to .local/demo.json. */
export type Demo = DemoWorkspace & { base_url: string; other: DemoWorkspace };
export type DemoWorkspace = { email: string; password: string; workspace_id: string; api_key: string };

/** An answer, read whole. */
export type Answer = { status: number; headers: Headers; body: unknown };

/** A client of one surface with one credential. */
export type Api = {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
};

/** @param credential goes into the Authorization header; none when empty */
export function createApi(base: string, credential = ""): Api {
  const call: Api["call"] = async (method, path, body, headers = {}) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(credential !== "" && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
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
      throw new Error(`${request[0]} ${request[1]} answered ${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  return {
    call,
    get: (path) => succeed("GET", path),
    post: (path, body, headers) => succeed("POST", path, body, headers),
  };
}
