import {
  ChangePasswordRequestSchema,
  LoginRequestSchema,
  SessionService,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { capabilityNames } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { callerOf, forward, idempotencyKeyOf } from "../http/context.ts";
import { createRefreshCookies } from "../http/refresh-cookies.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, email, id, newPassword, password } from "../http/schemas.ts";
import { mfaRequired } from "../resources/mfa.ts";
import {
  capabilities,
  cookie,
  device,
  deviceUuid,
  presentSession,
  sessionSchema,
  user,
} from "../resources/session.ts";
import type { Surface } from "../surface.ts";

const meSchema = Type.Object(
  {
    user: user.schema,
    workspace_id: id("wsp"),
    capabilities,
    device_uuid: deviceUuid,
    mfa_enrolment_required: Type.Boolean({
      description: "The workspace requires a second factor, and this session was signed in without one",
      examples: [false],
    }),
  },
  { title: "Me" },
);

const loginSchema = body({ email, password, cookie, ...device });
const { cookie: _, ...credentials } = loginSchema.properties;
const toLogin = requestMessage(LoginRequestSchema, body(credentials));

const passwordChangeSchema = body({ current_password: password, new_password: newPassword });
const toPasswordChange = requestMessage(ChangePasswordRequestSchema, passwordChangeSchema);

const refreshSchema = body({
  refresh: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The refresh token. Without it, the cookie is used",
      examples: ["rt_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
    }),
  ),
  device_uuid: deviceUuid,
  cookie,
  user_id: Type.Optional({
    ...id("usr"),
    description: "Required with the cookie, which may be another user's: then the response is 401",
  }),
});

/** Without a token, the request uses the cookie: then the response must not contain the next token. */
function requireCookie({ cookie, user_id }: Type.Static<typeof refreshSchema>): void {
  if (!cookie) throw invalid([{ field: "refresh", message: "is required without cookie" }]);
  if (user_id === undefined) throw invalid([{ field: "user_id", message: "is required with the cookie" }]);
}

export const sessions: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, config }) => {
  const cookies = createRefreshCookies(config);

  app.post(
    "/login",
    {
      config: declared({ public: true }, SessionService.method.login),
      schema: { summary: "Sign in", body: loginSchema, response: { 200: sessionSchema } },
    },
    async (request, reply) => {
      const { cookie, ...credentials } = request.body;
      if (cookie) cookies.requireUsable();
      const clientAddress = clientAddressOf(request);
      const answer = await clients.signIns.sessions.login(
        { ...toLogin(credentials), clientAddress },
        forward(request, reply),
      );
      if (answer.mfa !== undefined) throw mfaRequired(answer.mfa, answer.deviceUuid);
      const session = presentSession(answer);
      return cookie ? cookies.keep(reply, session) : session;
    },
  );

  app.post(
    "/auth/refresh",
    {
      config: declared({ public: true }, SessionService.method.refresh),
      schema: { summary: "Swap a refresh token", body: refreshSchema, response: { 200: sessionSchema } },
    },
    async (request, reply) => {
      const { refresh, device_uuid: deviceUuid, cookie, user_id: userId } = request.body;
      if (cookie) cookies.requireUsable();
      if (refresh === undefined) requireCookie(request.body);
      const answer = await clients.signIns.sessions.refresh(
        {
          refreshToken: refresh ?? cookies.read(request),
          deviceUuid,
          userId,
          // The answer is derived from the key, not stored under it (http.md, Sign-in).
          idempotencyKey: idempotencyKeyOf(request),
          clientAddress: clientAddressOf(request),
        },
        forward(request, reply),
      );
      const session = presentSession(answer);
      return cookie ? cookies.keep(reply, session) : session;
    },
  );

  app.post(
    "/logout",
    {
      config: declared({ signedIn: true, beforeEnrolment: true }, SessionService.method.logout),
      schema: { summary: "End this session", response: { 200: Type.Object({}) } },
    },
    async (request, reply) => {
      await clients.sessions.logout({}, forward(request, reply));
      cookies.clear(request, reply);
      return {};
    },
  );

  app.post(
    "/me/password",
    {
      config: declared({ signedIn: true }, SessionService.method.changePassword),
      schema: {
        summary: "Change the caller's password and end the caller's other sessions",
        body: passwordChangeSchema,
        response: { 200: Type.Object({}) },
      },
    },
    async (request, reply) => {
      await clients.signIns.sessions.changePassword(toPasswordChange(request.body), forward(request, reply));
      return {};
    },
  );

  app.get(
    "/me",
    {
      config: declared({ signedIn: true, beforeEnrolment: true }, SessionService.method.getMe),
      schema: { summary: "The signed-in user", response: { 200: meSchema } },
    },
    async (request, reply) => {
      const answer = await clients.sessions.getMe({}, forward(request, reply));
      const signedIn = required(answer.user);
      const { principal, mfaEnrolmentRequired } = callerOf(request);
      return {
        user: user.present(signedIn),
        workspace_id: principal.workspaceId,
        capabilities: capabilityNames.decodeAll(signedIn.capabilities),
        device_uuid: answer.deviceUuid,
        mfa_enrolment_required: mfaEnrolmentRequired,
      };
    },
  );
};
