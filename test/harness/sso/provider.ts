import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

/** The person at the provider's page. `sub` is the account. */
export type Person = { sub: string; [claim: string]: unknown };

type Key = {
  kid: string;
  alg: string;
  privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  publicJwk: JWK;
};

/** Changes the ID tokens of a provider after it has made them. */
export type Tamper = {
  claims?: (claims: JWTPayload) => JWTPayload;
  /** Signs with another key or algorithm. */
  key?: Key;
};

export type Client = { client_id: string; client_secret: string };

/** A real provider (oidc-provider) on a port of its own. Its pages sign in `person` without a question. */
export async function startProvider() {
  const state = {
    person: { sub: "ada" } as Person,
    tamper: {} as Tamper,
    /** Published besides those of the provider. */
    keys: [] as JWK[],
    /** Whether its own keys are published. */
    publishesOwn: true,
    refreshTokens: false,
    /** Answers each request of our server with this status. */
    down: undefined as number | undefined,
    logoutTokens: [] as string[],
    /** Parameters of the requests for authorization. */
    asked: [] as Record<string, string>[],
    /** Of the token endpoint. */
    tokenAnswers: 0,
  };
  const own = await newKey("own", "RS256");
  const people = new Map<string, Person>();
  let provider: Provider | undefined;

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(own.privateKey)), kid: own.kid, alg: "RS256", use: "sig" }] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    conformIdTokenClaims: false,
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    features: {
      registration: { enabled: true },
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
    cookies: { keys: ["test"] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => state.refreshTokens,
    findAccount(_context, id) {
      const person = people.get(id);
      return person && { accountId: id, claims: () => person };
    },
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope("openid email profile offline_access");
      await grant.save();
      return grant;
    },
    // The logout tokens that it sends to us.
    fetch: async (url, options) => {
      if (!String(url).includes("/sso/logout/")) return fetch(url, options);
      state.logoutTokens.push(new URLSearchParams(String(options?.body)).get("logout_token") ?? "");
      return new Response(null, { status: 200 });
    },
  });
  const callback = provider.callback();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", issuer);
    const isPage = /^\/(auth|interaction)/.test(url.pathname);
    if (state.down !== undefined && !isPage) return void response.writeHead(state.down).end();
    if (url.pathname === "/auth") state.asked.push(Object.fromEntries(url.searchParams));
    if (url.pathname === "/jwks") return answerKeys(response);
    if (url.pathname.startsWith("/interaction/")) return signIn(request, response);
    if (url.pathname === "/token") tamperWith(response);
    response.on("finish", () => {
      if (url.pathname === "/token") state.tokenAnswers += 1;
    });
    await callback(request, response);
  }

  function answerKeys(response: ServerResponse): void {
    const keys = [...(state.publishesOwn ? [own.publicJwk] : []), ...state.keys];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  }

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { person } = state;
    people.set(person.sub, person);
    await provider?.interactionFinished(request, response, {
      login: { accountId: person.sub, remember: true },
    });
  }

  function tamperWith(response: ServerResponse): void {
    const end = response.end.bind(response);
    const replaced = (async (body: unknown) => {
      const text = Buffer.isBuffer(body) ? body.toString() : String(body ?? "");
      const answer = text.startsWith("{") ? JSON.parse(text) : {};
      if (answer.id_token !== undefined) answer.id_token = await resign(answer.id_token);
      response.removeHeader("content-length");
      end(JSON.stringify(answer));
    }) as unknown as typeof response.end;
    response.end = replaced;
  }

  async function resign(token: string): Promise<string> {
    const { claims = (all) => all, key = own } = state.tamper;
    const payload = claims(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
    return sign(payload, key);
  }

  return {
    issuer,
    state,
    own,
    newKey,
    sign: (payload: JWTPayload, key: Key = own, typ = "JWT") => sign(payload, key, typ),
    /** Registers a client, as an admin of the provider does. */
    async register(redirectUri: string, more: Record<string, unknown> = {}): Promise<Client> {
      const answer = await fetch(`${issuer}/reg`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          redirect_uris: [redirectUri],
          grant_types: ["authorization_code", "refresh_token"],
          ...more,
        }),
      });
      if (answer.status !== 201) throw new Error(await answer.text());
      return (await answer.json()) as Client;
    },
    /** Removes a person, and so all that they were given. */
    leave(sub: string): void {
      people.delete(sub);
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

async function newKey(kid: string, alg: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

function sign(payload: JWTPayload, { alg, kid, privateKey }: Key, typ = "JWT"): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ }).sign(privateKey);
}
