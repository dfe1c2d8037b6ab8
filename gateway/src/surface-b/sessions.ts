import { SessionService } from "@asset-register/proto/assetregister/identity/v1/session_pb";
import { limits } from "@asset-register/proto/limits";
import { capabilityNames } from "@asset-register/rpc";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, clientAddressOf, forward, idempotencyKeyOf } from "../http/context.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, email, id, newPassword } from "../http/schemas.ts";
import {
  capabilities,
  presentSession,
  presentUser,
  sessionSchema,
  userSchema,
} from "../resources/session.ts";
import type { Surface } from "../surface.ts";

const deviceText = (example: string) =>
  Type.Optional(Type.String({ maxLength: limits.deviceText, examples: [example] }));
const deviceUuid = Type.String({ format: "uuid", description: "Names the device; its session is one" });

const meSchema = Type.Object(
  {
    user: userSchema,
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

export const sessions: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/login",
    {
      config: declared({ public: true }, SessionService.method.login),
      schema: {
        summary: "Sign in",
        body: body({
          email,
          password,
          device_uuid: Type.Optional(deviceUuid),
          label: deviceText("Ada's phone"),
          platform: deviceText("ios"),
          app_version: deviceText("4.2.0"),
        }),
        response: { 200: sessionSchema },
      },
    },
    async (request, reply) => {
      const { email, password, device_uuid, label, platform, app_version } = request.body;
      const session = await clients.signIns.sessions.login(
        {
          email,
          password,
          deviceUuid: device_uuid,
          label,
          platform,
          appVersion: app_version,
          clientAddress: clientAddressOf(request),
        },
        forward(request, reply),
      );
      return presentSession(session);
    },
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
            // The answer is derived from it, not kept under it (http.md, Sign-in).
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
        summary: "Change one's password; one's other sessions end",
        body: body({ current_password: password, new_password: newPassword }),
        response: { 200: Type.Object({}) },
      },
    },
    async (request, reply) => {
      const { current_password, new_password } = request.body;
      await clients.signIns.sessions.changePassword(
        { currentPassword: current_password, newPassword: new_password },
        forward(request, reply),
      );
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
      const { user, deviceUuid } = await clients.sessions.getMe({}, forward(request, reply));
      return {
        user: presentUser(user),
        workspace_id: callerOf(request).principal.workspaceId,
        capabilities: capabilityNames.decodeAll(required(user).capabilities),
        device_uuid: deviceUuid,
      };
    },
  );
};
