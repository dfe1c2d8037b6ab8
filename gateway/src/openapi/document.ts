import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import type { RouteInfo } from "../plugins/route-table.ts";
import { hoist } from "./components.ts";
import { plainSchema } from "./example.ts";
import { headerParameters, headers } from "./headers.ts";
import { completeOperation, declaredFields, operationId } from "./operation.ts";
import type { SurfaceDocument } from "./surfaces.ts";
import { describeTags, tagOf } from "./tags.ts";
import type { Components, Document, Operation, Schema } from "./types.ts";
import { webhooks } from "./webhooks.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Functions that make the OpenAPI documents, by name of the surface. Call them when the server is ready. */
    documents: Map<string, () => Document>;
  }
}

/** Adds `documents`, in which each surface registers its document. */
export const documents = fp(async (app) => {
  app.decorate("documents", new Map());
});

/** Makes the OpenAPI document of a surface from the declarations of its routes. */
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
        schema: { ...schema, operationId: id, tags: [tagOf(path)], ...declaredFields(route, credential) },
      };
    },
  });

  checkTitlesAtBoot(app, surface);

  app.documents.set(surface.name, () => {
    // The type of app.swagger() covers several versions of OpenAPI. The tests lint the result as OpenAPI 3.1.
    const draft: unknown = app.swagger();
    return completeDocument(draft as Document, surface, routes);
  });
});

/** Lets two different schemas with the same title fail at boot, not when somebody requests the document. */
function checkTitlesAtBoot(app: FastifyInstance, { errors, webhooks: hasWebhooks }: SurfaceDocument): void {
  const schemas: Record<string, Schema> = { [errors.name]: errors.schema };
  if (hasWebhooks) {
    for (const { post } of Object.values(webhooks())) if (post) hoistSchemas(post, schemas);
  }
  app.addHook("onRoute", ({ schema: { body, response } = {} }) => {
    for (const schema of [body, ...Object.values(response ?? {})]) {
      if (schema !== undefined) hoist(plainSchema(schema), schemas);
    }
  });
}

/** Adds errors, headers, examples and components to the draft of the generator. */
function completeDocument(
  draft: Document,
  surface: SurfaceDocument,
  routes: Map<string, RouteInfo>,
): Document {
  const { securitySchemes, errors } = surface;
  const components: Components = {
    schemas: { [errors.name]: errors.schema },
    responses: {},
    parameters: headerParameters,
    headers,
    examples: {},
    securitySchemes,
  };
  const document = structuredClone(draft);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    const route = routes.get(operation.operationId);
    if (route === undefined) throw new Error(`Operation ${operation.operationId} belongs to no route`);
    completeOperation(operation, route, errors, components);
  }
  if (surface.webhooks) document.webhooks = webhooks();
  const hooks = Object.values(document.webhooks ?? {}).flatMap((path) => Object.values(path));
  for (const operation of [...operations, ...hooks]) hoistSchemas(operation, components.schemas);
  return {
    ...document,
    tags: describeTags(new Set([...operations, ...hooks].flatMap(({ tags }) => tags))),
    components: onlyReferenced(components, document),
  };
}

/** Moves the schemas of an operation's bodies into `schemas`, and puts references in their place. */
function hoistSchemas({ requestBody, responses }: Operation, schemas: Record<string, Schema>): void {
  const bodies = [requestBody, ...Object.values(responses)];
  for (const body of bodies) {
    if (body === undefined || !("content" in body)) continue;
    for (const media of Object.values(body.content ?? {})) {
      if (media.schema !== undefined) media.schema = hoist(media.schema, schemas);
    }
  }
}

/** The components that something in the document refers to, in order of name. */
function onlyReferenced(components: Components, document: Document): Components {
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
