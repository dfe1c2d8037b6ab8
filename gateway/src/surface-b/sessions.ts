import {
  ChangePasswordRequestSchema,
  LoginRequestSchema,
  SessionService,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { limits } from "@asset-register/proto/limits";
import { capabilityNames } from "@asset-register/rpc";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { callerOf, forward, idempotencyKeyOf } from "../http/context.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, email, id, newPassword } from "../http/schemas.ts";
import { capabilities, presentSession, sessionSchema, user } from "../resources/session.ts";
import type { Surface } from "../surface.ts";

const deviceText = (example: string) =>
  Type.Optional(Type.String({ maxLength: limits.deviceText, examples: [example] }));
const deviceUuid = Type.String({
  format: "uuid",
  description: "Id of the device; a user has one session on each device",
});

const meSchema = Type.Object(
  {
    user: user.schema,
    workspace_id: id("wsp"),
    capabilities,
    device_uuid: deviceUuid,
  },
  { title: "Me" },
);

const password = Type.String({
  minLength: 1,
  maxLength: limits.password,
  examples: ["correct horse battery"],
});

const loginSchema = body({
  email,
  password,
  device_uuid: Type.Optional(deviceUuid),
  label: deviceText("Ada's phone"),
  platform: deviceText("ios"),
  app_version: deviceText("4.2.0"),
});
const toLogin = requestMessage(LoginRequestSchema, loginSchema);

const passwordChangeSchema = body({ current_password: password, new_password: newPassword });
const toPasswordChange = requestMessage(ChangePasswordRequestSchema, passwordChangeSchema);

export const sessions: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/login",
    {
      config: declared({ public: true }, SessionService.method.login),
      schema: { summary: "Sign in", body: loginSchema, response: { 200: sessionSchema } },
    },
    async (request, reply) =>
      presentSession(
        await clients.signIns.sessions.login(
          { ...toLogin(request.body), clientAddress: clientAddressOf(request) },
          forward(request, reply),
        ),
      ),
  );

  app.post(
    "/auth/refresh",
    {
      config: declared({ public: true }, SessionService.method.refresh),
      schema: {
        summary: "Swap a refresh token",
        body: body({
          refresh: Type.String({
            minLength: 1,
            maxLength: 200,
            description: "The refresh token",
            examples: ["rt_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
          }),
          device_uuid: deviceUuid,
        }),
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) =>
      presentSession(
        await clients.signIns.sessions.refresh(
          {
            refreshToken: request.body.refresh,
            deviceUuid: request.body.device_uuid,
            // The answer is derived from the key, not stored under it (http.md, Sign-in).
            idempotencyKey: idempotencyKeyOf(request),
            clientAddress: clientAddressOf(request),
          },
          forward(request, reply),
        ),
      ),
  );

  app.post(
    "/logout",
    {
      config: declared({ signedIn: true }, SessionService.method.logout),
      schema: { summary: "End this session", response: { 200: Type.Object({}) } },
    },
    async (request, reply) => {
      await clients.sessions.logout({}, forward(request, reply));
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
      config: declared({ signedIn: true }, SessionService.method.getMe),
      schema: { summary: "The signed-in user", response: { 200: meSchema } },
    },
    async (request, reply) => {
      const answer = await clients.sessions.getMe({}, forward(request, reply));
      const signedIn = required(answer.user);
      return {
        user: user.present(signedIn),
        workspace_id: callerOf(request).principal.workspaceId,
        capabilities: capabilityNames.decodeAll(signedIn.capabilities),
        device_uuid: answer.deviceUuid,
      };
    },
  );
};
