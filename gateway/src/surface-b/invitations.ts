import {
  AcceptInvitationRequestSchema,
  UserService,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf } from "../client-address.ts";
import { forward } from "../http/context.ts";
import { requestMessage } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body, newPassword } from "../http/schemas.ts";
import { userAccount } from "../resources/user.ts";
import type { Surface } from "../surface.ts";

const acceptanceSchema = body({
  token: Type.String({
    minLength: 1,
    maxLength: 200,
    examples: ["it_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
  }),
  name: Type.Optional(accountNamed("Ada Lovelace")),
  password: newPassword,
});
const toAcceptance = requestMessage(AcceptInvitationRequestSchema, acceptanceSchema);

/** Here an invited person, who has no session yet, becomes a user. */
export const invitations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/invitations/accept",
    {
      config: declared({ public: true }, UserService.method.acceptInvitation),
      schema: {
        summary: "Accept an invitation",
        body: acceptanceSchema,
        response: { 200: userAccount.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.signIns.users.acceptInvitation(
        { ...toAcceptance(request.body), clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      return userAccount.present(required(answer.user));
    },
  );
};
