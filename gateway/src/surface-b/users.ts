import { UserService } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { accountNamed, body, email, idParams, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import {
  grantedSchema,
  newStatus,
  presentUserAccount,
  toCapabilities,
  userAccountSchema,
} from "../resources/user.ts";
import type { Surface } from "../surface.ts";

const invitedSchema = Type.Object(
  {
    ...userAccountSchema.properties,
    token: Type.String({
      description: "Takes the invitation, for 7 days; shown this once",
      examples: ["inv_Q2hhbmdlTWVJbkV4YW1wbGVz"],
    }),
  },
  { title: "InvitedUser" },
);

/** The people of a workspace, for its admins. */
export const users: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/users",
    {
      config: declared({ capability: "admin" }, UserService.method.listUsers),
      schema: {
        summary: "List users",
        querystring: Type.Object(pageQueryB),
        response: { 200: pageOf(userAccountSchema) },
      },
    },
    async (request, reply) => {
      const list = await clients.users.listUsers({ page: toPageB(request.query) }, forward(request, reply));
      return presentListB(list.users.map(presentUserAccount), list.page);
    },
  );

  app.post(
    "/users",
    {
      config: declared({ capability: "admin" }, UserService.method.inviteUser),
      schema: {
        summary: "Invite a user",
        body: body({
          email,
          name: accountNamed("Ada Lovelace"),
          capabilities: Type.Optional(grantedSchema),
          admin: Type.Optional(Type.Boolean()),
        }),
        response: { 201: invitedSchema },
      },
    },
    async (request, reply) => {
      const { email, name, capabilities = [], admin } = request.body;
      const { user, token } = await clients.users.inviteUser(
        { email, name, capabilities: toCapabilities(capabilities), admin },
        forward(request, reply),
      );
      const made = presentUserAccount(required(user));
      created(reply, `/asset_manager_api/users/${made.id}`);
      return { ...made, token };
    },
  );

  app.get(
    "/users/:id",
    {
      config: declared({ capability: "admin" }, UserService.method.getUser),
      schema: { summary: "Retrieve one user", params: idParams, response: { 200: userAccountSchema } },
    },
    async (request, reply) => {
      const { user } = await clients.users.getUser({ id: request.params.id }, forward(request, reply));
      return presentUserAccount(required(user));
    },
  );

  app.patch(
    "/users/:id",
    {
      config: declared({ capability: "admin" }, UserService.method.updateUser),
      schema: {
        summary: "Change a user's name, rights or status",
        params: idParams,
        body: body({
          name: Type.Optional(accountNamed("Ada Lovelace")),
          capabilities: Type.Optional(grantedSchema),
          admin: Type.Optional(Type.Boolean()),
          status: Type.Optional(newStatus.schema),
        }),
        response: { 200: userAccountSchema },
      },
    },
    async (request, reply) => {
      const { name, capabilities, admin, status } = request.body;
      const { user } = await clients.users.updateUser(
        {
          id: request.params.id,
          name,
          capabilities: capabilities && { capabilities: toCapabilities(capabilities) },
          admin,
          status: status && newStatus.value(status),
        },
        forward(request, reply),
      );
      return presentUserAccount(required(user));
    },
  );
};
