import { CapabilityListSchema, UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { capabilityNames } from "@asset-register/rpc";
import { create } from "@bufbuild/protobuf";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  newUserSchema,
  toInvitation,
  toUserChange,
  userAccount,
  userChangeSchema,
} from "../resources/user.ts";
import type { Surface } from "../surface.ts";

const invitedSchema = Type.Object(
  {
    ...userAccount.schema.properties,
    token: Type.Optional(
      Type.String({
        description:
          "Accepts the invitation, for 7 days; shown only here. Absent when the invitation is sent by mail, see the operator's setting `INVITATION_TOKENS`",
        examples: ["it_Q2hhbmdlTWVJbkV4YW1wbGVzT25seQ0000000000000"],
      }),
    ),
  },
  { title: "InvitedUser" },
);

/** The users of a workspace, for its admins. */
export const users: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/users", {
    summary: "List users",
    access: { capability: "admin" },
    rpc: UserService.method.listUsers,
    record: userAccount,
  });

  get("/users/:id", {
    summary: "Retrieve one user",
    access: { capability: "admin" },
    rpc: UserService.method.getUser,
    record: userAccount,
  });

  writeRoutes(app, clients, "b").create("/users", {
    summary: "Invite a user",
    access: { capability: "admin" },
    rpc: UserService.method.inviteUser,
    record: userAccount,
    body: newUserSchema,
    toRequest: toInvitation,
    beside: { schema: invitedSchema, present: ({ token }) => (token === "" ? {} : { token }) },
  });

  app.patch(
    "/users/:id",
    {
      config: declared({ capability: "admin" }, UserService.method.updateUser),
      schema: {
        summary: "Change a user's name, rights or status",
        params: idParams,
        body: userChangeSchema,
        response: { 200: userAccount.schema },
      },
    },
    async (request, reply) => {
      const { capabilities } = request.body;
      const granted = capabilities && {
        capabilities: capabilities.map((name) => capabilityNames.encode(name)),
      };
      const answer = await clients.users.updateUser(
        {
          ...toUserChange(request.body),
          id: request.params.id,
          capabilities: granted && create(CapabilityListSchema, granted),
        },
        forward(request, reply),
      );
      return userAccount.present(required(answer.user));
    },
  );
};
