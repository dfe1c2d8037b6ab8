import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { clientAddressOf, forward } from "../http/context.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body, newPassword } from "../http/schemas.ts";
import { presentUserAccount, userAccountSchema } from "../resources/user.ts";
import type { Surface } from "../surface.ts";

/** Where an invited person, who has no session yet, becomes a user; signing in comes next. */
export const invitations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.post(
    "/invitations/accept",
    {
      config: declared({ public: true }, UserService.method.acceptInvitation),
      schema: {
        summary: "Take an invitation",
        body: body({
          token: Type.String({ minLength: 1, maxLength: 200, examples: ["inv_Q2hhbmdlTWVJbkV4YW1wbGVz"] }),
          name: Type.Optional(accountNamed("Ada Lovelace")),
          password: newPassword,
        }),
        response: { 200: userAccountSchema },
      },
    },
    async (request, reply) => {
      const { token, name, password } = request.body;
      const { user } = await clients.signIns.users.acceptInvitation(
        { token, name, password, clientAddress: clientAddressOf(request) },
        forward(request, reply),
      );
      return presentUserAccount(required(user));
    },
  );
};
