import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import type { RouteInfo } from "../plugins/route-table.ts";
import { hoist } from "./components.ts";
import { plainSchema } from "./example.ts";
import { headerParameters, headers } from "./headers.ts";
import { complete, declaration, operationId } from "./operation.ts";
import type { SurfaceDocument } from "./surfaces.ts";
import { describeTags, tagOf } from "./tags.ts";
import type { Components, Document, Operation, Schema } from "./types.ts";
import { webhooks } from "./webhooks.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Makes the OpenAPI document of a surface, by its name; whole once the server is ready. */
    documents: Map<string, () => Document>;
  }
}

/** Where the surfaces leave what makes their documents, for the routes that show them. */
export const documents = fp(async (app) => {
  app.decorate("documents", new Map());
});

/** The OpenAPI document of a surface, made from what its routes declare. */
export const openapi = fp<{ surface: SurfaceDocument }>(async (app, { surface }) => {
  const { info, server, securitySchemes, credential } = surface;
  const routes = new Map<string, RouteInfo>();

  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info, servers: [server], components: { securitySchemes } },
    convertConstToEnum: false,
    transform: ({ schema, url, route: { method } }) => {
      const route = app.routeTable.find((one) => one.method === method && one.url === url);
      if (route === undefined) throw new Error(`Route ${String(method)} ${url} is not in the table`);
      const path = server.url === "/" ? url : url.slice(server.url.length);
      const id = operationId(route.method, path);
      routes.set(id, route);
      return {
        url,
        schema: { ...schema, operationId: id, tags: [tagOf(path)], ...declaration(route, credential) },
      };
    },
  });

  checkTitles(app, surface);

  app.documents.set(surface.name, () => {
    // The generator's types leave open what it makes; the lint in our tests holds that this is OpenAPI 3.1.
    const made: unknown = app.swagger();
    return finish(made as Document, surface, routes);
  });
});

/** Lets a route that would make two components of one name fail at boot, not when somebody asks for the document. */
function checkTitles(app: FastifyInstance, { errors, webhooks: hooked }: SurfaceDocument): void {
  const schemas: Record<string, Schema> = { [errors.name]: errors.schema };
  if (hooked) for (const { post } of Object.values(webhooks())) if (post) hoistSchemas(post, schemas);
  app.addHook("onRoute", ({ schema: { body, response } = {} }) => {
    for (const one of [body, ...Object.values(response ?? {})]) {
      if (one !== undefined) hoist(plainSchema(one), schemas);
    }
  });
}

/** What the generator made, with errors, headers and examples, and each record described once. */
function finish(draft: Document, surface: SurfaceDocument, routes: Map<string, RouteInfo>): Document {
  const { securitySchemes, errors } = surface;
  const components: Components = {
    schemas: { [errors.name]: errors.schema },
    responses: {},
    parameters: headerParameters,
    headers,
    examples: {},
    securitySchemes,
  };
  const described = structuredClone(draft);
  const operations = Object.values(described.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    const route = routes.get(operation.operationId);
    if (route === undefined) throw new Error(`Operation ${operation.operationId} belongs to no route`);
    complete(operation, route, errors, components);
  }
  if (surface.webhooks) described.webhooks = webhooks();
  const hooks = Object.values(described.webhooks ?? {}).flatMap((path) => Object.values(path));
  for (const operation of [...operations, ...hooks]) hoistSchemas(operation, components.schemas);
  return {
    ...described,
    tags: describeTags(new Set([...operations, ...hooks].flatMap(({ tags }) => tags))),
    components: used(components, described),
  };
}

/** Leaves references to the components in place of the records that an operation takes and gives. */
function hoistSchemas({ requestBody, responses }: Operation, schemas: Record<string, Schema>): void {
  const bodies = [requestBody, ...Object.values(responses)];
  for (const body of bodies) {
    if (body === undefined || !("content" in body)) continue;
    for (const media of Object.values(body.content ?? {})) {
      if (media.schema !== undefined) media.schema = hoist(media.schema, schemas);
    }
  }
}

/** In order of name, and without what nothing in the document refers to. */
function used(components: Components, document: Document): Components {
  const text = JSON.stringify([document.paths, document.webhooks, components]);
  const keep = <T>(section: string, entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(entries)
        .filter(([name]) => text.includes(`"#/components/${section}/${name}"`))
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  return {
    schemas: keep("schemas", components.schemas),
    responses: keep("responses", components.responses),
    parameters: keep("parameters", components.parameters),
    headers: keep("headers", components.headers),
    examples: keep("examples", components.examples),
    securitySchemes: components.securitySchemes,
  };
}
