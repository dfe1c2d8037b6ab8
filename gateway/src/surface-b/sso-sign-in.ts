import { ExchangeSsoRequestSchema, SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { malformed } from "../errors.ts";
import { forward } from "../http/context.ts";
import { createRefreshCookies } from "../http/refresh-cookies.ts";
import { requestMessage } from "../http/request-message.ts";
import { declared } from "../http/routes.ts";
import { body, email, idParams } from "../http/schemas.ts";
import { createSsoCookie } from "../http/sso-cookie.ts";
import { mfaRequired } from "../resources/mfa.ts";
import { cookie, device, presentSession, sessionSchema } from "../resources/session.ts";
import type { Surface } from "../surface.ts";

const PUBLIC = { public: true } as const;
const { method } = SsoService;
const FORM = "application/x-www-form-urlencoded";

const redirection = Type.Null({ description: "The address is in `Location`" });
const location = Type.String({
  description: "The page of the provider",
  examples: ["https://login.example.com/authorize?client_id=assets&response_type=code"],
});

const exchangeSchema = body({
  code: Type.String({
    minLength: 1,
    maxLength: 200,
    examples: ["Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
  }),
  cookie,
  ...device,
});
const { cookie: _, ...exchanged } = exchangeSchema.properties;
const toExchange = requestMessage(ExchangeSsoRequestSchema, body(exchanged));

/**
 * The sign-in with a company's provider (sign-in.md). The browser goes through `start` and `callback`; the page that it
 * comes back to exchanges the code of its address for a session.
 */
export const ssoSignIn: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, config }) => {
  const cookies = createRefreshCookies(config);
  const stateCookie = createSsoCookie(config);

  // The provider posts a form, with fields that it may add.
  app.addContentTypeParser(FORM, { parseAs: "string" }, (_request, text, done) => {
    const tokens = new URLSearchParams(String(text)).getAll("logout_token");
    if (tokens.length > 1) done(malformed("The form has logout_token twice."));
    else done(null, Object.fromEntries(tokens.map((token) => ["logout_token", token])));
  });

  app.get(
    "/sso/start",
    {
      config: declared(PUBLIC, method.startSso),
      schema: {
        summary: "Begin a sign-in at the provider of a company",
        description:
          "The domain of the address decides alone. A domain without single sign-on is 404, which reveals no account.",
        querystring: Type.Object({
          email,
          fresh: Type.Optional(
            Type.Boolean({
              description: "The provider must ask for the credentials again. The sign-in is recent then",
            }),
          ),
          redirect: Type.Optional(
            Type.Boolean({
              default: true,
              description: "False: the answer is 200 with `location`, for a script that goes there itself",
            }),
          ),
        }),
        response: { 200: Type.Object({ location }), 302: redirection },
      },
    },
    async (request, reply) => {
      const { email, fresh = false, redirect: redirects = true } = request.query;
      const answer = await clients.sso.startSso(
        { email, fresh, clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      stateCookie.keep(reply, answer.state);
      return redirects ? redirect(reply, answer.location) : { location: answer.location };
    },
  );

  app.get(
    "/sso/callback/:id",
    {
      config: { ...declared(PUBLIC, method.finishSso), anyQuery: true },
      schema: {
        summary: "Where the provider sends the browser back to",
        description:
          "The answer leads to the page `/app/sso`, with `#code=...` to exchange within 60 s or with `#error=...`.",
        params: idParams,
        response: { 302: redirection },
      },
    },
    async (request, reply) => {
      const finished = await clients.sso
        .finishSso(
          {
            connectionId: request.params.id,
            query: request.url.split("?").slice(1).join("?"),
            state: stateCookie.read(request),
            clientAddress: clientAddressOf(request),
          },
          forward(request, reply),
        )
        .catch((error) => {
          // A person sees the answer, so it is a page also now.
          request.log.warn({ err: error }, "a sign-in with a provider could not be finished");
          return { result: { case: "error", value: "SSO_UNAVAILABLE" } as const };
        });
      const { case: kind = "error", value = "SSO_FAILED" } = finished.result;
      return redirect(reply, `${config.PUBLIC_URL}/app/sso#${kind}=${encodeURIComponent(value)}`);
    },
  );

  app.post(
    "/sso/exchange",
    {
      config: declared(PUBLIC, method.exchangeSso),
      schema: {
        summary: "Start a session with the code of a sign-in at a provider",
        description:
          "A code works once, within 60 s, and only in the browser that has begun the sign-in. A user with a second " +
          "factor gets MFA_REQUIRED as at `/login`, unless `mfa_by_provider` is set.",
        body: exchangeSchema,
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { cookie, ...exchanged } = request.body;
      if (cookie) cookies.requireUsable();
      const answer = await clients.sso.exchangeSso(
        {
          ...toExchange(exchanged),
          state: stateCookie.read(request),
          clientAddress: clientAddressOf(request),
        },
        forward(request, reply),
      );
      stateCookie.clear(reply);
      if (answer.mfa !== undefined) throw mfaRequired(answer.mfa, answer.deviceUuid);
      const session = presentSession(answer);
      return cookie ? cookies.keep(reply, session) : session;
    },
  );

  app.post(
    "/sso/logout/:id",
    {
      config: {
        ...declared(PUBLIC, method.logoutSso),
        unconditional: "the provider knows no ETag, and a logout token works once",
      },
      schema: {
        summary: "End sessions by a logout token of the provider",
        description: "OpenID Connect Back-Channel Logout 1.0. Only the provider of the connection calls it.",
        consumes: [FORM],
        params: idParams,
        body: body({
          logout_token: Type.String({
            minLength: 1,
            maxLength: limits.logoutToken,
            examples: ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln"],
          }),
        }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request, reply) => {
      await clients.sso.logoutSso(
        {
          connectionId: request.params.id,
          logoutToken: request.body.logout_token,
          clientAddress: clientAddressOf(request),
        },
        forward(request, reply),
      );
      return {};
    },
  );
};

function redirect(reply: FastifyReply, location: string): null {
  reply.code(302).header("location", location);
  return null;
}
