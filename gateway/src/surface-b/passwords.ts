import {
  ConfirmEmailChangeRequestSchema,
  PasswordService,
  RequestEmailChangeRequestSchema,
  RequestPasswordResetRequestSchema,
  ResetPasswordRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/password_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { forward } from "../http/context.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, email, idParams, newPassword, password } from "../http/schemas.ts";
import { userAccount } from "../resources/user.ts";
import type { Surface } from "../surface.ts";

const mailedToken = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: "From the link in the mail",
    examples: [example],
  });

const forgottenSchema = body({ email });
const toRequest = requestMessage(RequestPasswordResetRequestSchema, forgottenSchema);

const resetSchema = body({
  token: mailedToken("pr_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"),
  new_password: newPassword,
});
const toReset = requestMessage(ResetPasswordRequestSchema, resetSchema);

const emailChangeSchema = body({ email, password });
const toEmailChange = requestMessage(RequestEmailChangeRequestSchema, emailChangeSchema);

const confirmationSchema = body({ token: mailedToken("ec_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000") });
const toConfirmation = requestMessage(ConfirmEmailChangeRequestSchema, confirmationSchema);

const resetUserSchema = Type.Object(
  {
    ...userAccount.schema.properties,
    token: Type.Optional(
      Type.String({
        description:
          "Sets the new password, for 30 minutes; shown only here. Absent when it is sent by mail, see the operator's setting `INVITATION_TOKENS`",
        examples: ["pr_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
      }),
    ),
  },
  { title: "UserPasswordReset" },
);

/** A forgotten password, and a new email address: the owner of an account proves with a mailed token who it is. */
export const passwords: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { passwords: rpcs } = clients.signIns;

  app.post(
    "/password/forgot",
    {
      config: declared({ public: true }, PasswordService.method.requestPasswordReset),
      schema: {
        summary: "Get a mail to choose a new password",
        description:
          "The response is the same for every email. Its owner gets a mail if it has an active account, and an invited person the invitation again: at most 3 in an hour.",
        body: forgottenSchema,
        response: { 202: Type.Object({}) },
      },
    },
    async (request, reply) => {
      await rpcs.requestPasswordReset(
        { ...toRequest(request.body), clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      reply.code(202);
      return {};
    },
  );

  app.post(
    "/password/reset",
    {
      config: declared({ public: true }, PasswordService.method.resetPassword),
      schema: {
        summary: "Choose a new password",
        description:
          "The token works once, for 30 minutes. The sessions of the account end, and its other tokens. Sign in afterwards.",
        body: resetSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await rpcs.resetPassword(
        { ...toReset(request.body), clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      reply.code(204);
      return null;
    },
  );

  app.post(
    "/me/email",
    {
      config: declared({ signedIn: true }, PasswordService.method.requestEmailChange),
      schema: {
        summary: "Request another email address for the caller",
        description:
          "A link, valid for 24 hours, is sent to the new address, and a notice to the present one. The response does not show whether the address has an account.",
        body: emailChangeSchema,
        response: { 202: Type.Object({}) },
      },
    },
    async (request, reply) => {
      await rpcs.requestEmailChange(toEmailChange(request.body), forward(request, reply));
      reply.code(202);
      return {};
    },
  );

  app.post(
    "/me/email/confirm",
    {
      config: declared({ public: true }, PasswordService.method.confirmEmailChange),
      schema: {
        summary: "Confirm another email address",
        description:
          "The token works once, for 24 hours. The user's sessions end, but not the one that requested the address.",
        body: confirmationSchema,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await rpcs.confirmEmailChange(
        { ...toConfirmation(request.body), clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      reply.code(204);
      return null;
    },
  );

  app.post(
    "/users/:id/password-reset",
    {
      config: {
        ...declared({ capability: "admin" }, PasswordService.method.resetUserPassword),
        unconditional: "the user stays as it is until the new password is chosen",
      },
      schema: {
        summary: "Let a user choose a new password",
        description:
          "The user gets a mail. The present password is valid until the user chooses another one.",
        params: idParams,
        response: { 200: resetUserSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { user, token } = await clients.passwords.resetUserPassword({ id }, forward(request, reply));
      return { ...userAccount.present(required(user)), ...(token !== "" && { token }) };
    },
  );
};
