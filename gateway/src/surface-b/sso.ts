import { SsoService } from "@asset-register/proto/assetregister/identity/v1/sso_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { body, like } from "../http/schemas.ts";
import { connectionSchema, ssoConnection, ssoDomain, toConnection } from "../resources/sso.ts";
import type { Surface } from "../surface.ts";

const ADMIN = { capability: "admin" } as const;
const { method } = SsoService;

const domain = Type.String({ minLength: 1, maxLength: limits.domain, examples: ["example.com"] });
const domainParams = Type.Object({ domain: { ...domain, description: "Domain" } });

const testSchema = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        check: Type.String({
          description: "discovery, algorithms, keys, client or domains",
          examples: ["discovery"],
        }),
        ok: Type.Boolean(),
        message: like("The provider https://login.example.com was found."),
      }),
    ),
  },
  { title: "SsoTest" },
);

/** Single sign-on of a workspace, for its admins. */
export const sso: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  get("/sso", {
    summary: "The connection to the workspace's OpenID provider",
    access: ADMIN,
    rpc: method.getSsoConnection,
    record: ssoConnection,
  });

  app.put(
    "/sso",
    {
      config: declared(ADMIN, method.putSsoConnection),
      schema: {
        summary: "Create or replace the connection to the workspace's OpenID provider",
        body: connectionSchema,
        response: { 200: ssoConnection.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.sso.putSsoConnection(toConnection(request.body), forward(request, reply));
      return ssoConnection.present(required(answer.connection));
    },
  );

  app.delete(
    "/sso",
    {
      config: declared(ADMIN, method.deleteSsoConnection),
      schema: {
        summary: "Remove the connection, and end the sessions that were signed in with it",
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await clients.sso.deleteSsoConnection({}, forward(request, reply));
      reply.code(204);
      return null;
    },
  );

  app.post(
    "/sso/test",
    {
      config: declared(ADMIN, method.testSsoConnection),
      schema: { summary: "Test the connection, without a change", response: { 200: testSchema } },
    },
    async (request, reply) => {
      const { results } = await clients.sso.testSsoConnection({}, forward(request, reply));
      return { results: results.map(({ check, ok, message }) => ({ check, ok, message })) };
    },
  );

  list("/sso/domains", {
    summary: "List the domains of single sign-on",
    access: ADMIN,
    rpc: method.listSsoDomains,
    record: ssoDomain,
  });

  app.get(
    "/sso/domains/:domain",
    {
      config: declared(ADMIN, method.getSsoDomain),
      schema: {
        summary: "Retrieve one domain",
        params: domainParams,
        response: { 200: ssoDomain.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.sso.getSsoDomain(request.params, forward(request, reply));
      return ssoDomain.present(required(answer.domain));
    },
  );

  app.post(
    "/sso/domains",
    {
      config: declared(ADMIN, method.addSsoDomain),
      schema: {
        summary: "Add a domain, whose TXT record is in the answer",
        body: body({ domain }),
        response: { 200: ssoDomain.schema, 201: ssoDomain.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.sso.addSsoDomain(request.body, forward(request, reply));
      const added = required(answer.domain);
      if (answer.created) created(reply, `${app.prefix}/sso/domains/${added.domain}`);
      return ssoDomain.present(added);
    },
  );

  app.post(
    "/sso/domains/:domain/verify",
    {
      config: declared(ADMIN, method.verifySsoDomain),
      schema: {
        summary: "Look for the TXT record of a domain",
        params: domainParams,
        response: { 200: ssoDomain.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.sso.verifySsoDomain(request.params, forward(request, reply));
      return ssoDomain.present(required(answer.domain));
    },
  );

  app.delete(
    "/sso/domains/:domain",
    {
      config: declared(ADMIN, method.removeSsoDomain),
      schema: { summary: "Remove a domain", params: domainParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await clients.sso.removeSsoDomain(request.params, forward(request, reply));
      reply.code(204);
      return null;
    },
  );
};
