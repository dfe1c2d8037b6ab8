import { isConditionalRead, requiredRight } from "../http/route-traits.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import { type ErrorForm, errorResponses, notModified } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { headerParametersOf, successHeaders } from "./headers.ts";
import type { Components, Media, Operation, Response } from "./types.ts";

/** GET /v1/assets/:id/movements is getAssetsByIdMovements: unique because its route is, and as stable. */
export function operationId(method: string, path: string): string {
  const words = path
    .replace(/^\/v1\//, "/")
    .split("/")
    .filter(Boolean)
    .map(pascal);
  return method.toLowerCase() + words.join("");
}

const pascal = (segment: string): string =>
  segment
    .replace(/^:(.*)$/, "by_$1")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** What the route's declaration says beyond its schema. */
export function declaration(route: RouteInfo, credential: string) {
  const { access, schema } = route;
  const right = requiredRight(access);
  const needs = right && `Needs the ${right.kind} \`${right.name}\`.`;
  return {
    description: [schema.description, needs ?? WHO[Object.keys(access)[0] ?? ""]]
      .filter(Boolean)
      .join("\n\n"),
    security: securityOf(route, credential),
    ...(route.deprecated && { deprecated: true, "x-sunset": route.deprecated.sunset }),
    ...(right && { [`x-required-${right.kind}`]: right.name }),
  };
}

const WHO: Record<string, string> = {
  signedIn: "Any valid credential.",
  public: "Needs no credential.",
  reader: "Signed by the reader; needs no other credential.",
};

function securityOf({ access }: RouteInfo, credential: string): Record<string, string[]>[] {
  if ("public" in access) return [];
  if ("reader" in access) return [{ readerSignature: [] }];
  return [{ [credential]: "scope" in access ? [access.scope] : [] }];
}

/** Completes what the generator made of a route's schema, in place. */
export function complete(
  operation: Operation,
  route: RouteInfo,
  form: ErrorForm,
  components: Components,
): void {
  const parameters = [...described(operation, route, components), ...headerParametersOf(route)];
  if (parameters.length > 0) operation.parameters = parameters;
  completeBody(operation, route);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!("$ref" in response)) completeSuccess(response, route, Number(status));
  }
  if (isConditionalRead(route)) operation.responses[304] = notModified;
  Object.assign(operation.responses, errorResponses(route, form, components));
}

/** Header fields in their usual spelling, all needed of a reader, without those that are credentials. */
function described({ parameters = [] }: Operation, { access }: RouteInfo, { securitySchemes }: Components) {
  const credentials = Object.values(securitySchemes).map((scheme) => "name" in scheme && scheme.name);
  return parameters
    .map((parameter) => {
      if ("$ref" in parameter) return parameter;
      // The generator takes a default for a value that is always there: to the caller it may be left out.
      if (parameter.in === "query" && parameter.schema.default !== undefined)
        return { ...parameter, required: false };
      if (parameter.in !== "header") return parameter;
      const name = parameter.name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
      return { ...parameter, name, required: "reader" in access };
    })
    .filter((parameter) => "$ref" in parameter || !credentials.includes(parameter.name));
}

function completeBody(operation: Operation, route: RouteInfo): void {
  const { requestBody } = operation;
  if (requestBody === undefined) return;
  const json = requestBody.content["application/json"];
  if (
    json?.schema !== undefined &&
    Object.keys(json.schema.properties ?? {}).length === 0 &&
    !json.schema.anyOf
  ) {
    // An action that takes no field: it is posted bare.
    delete operation.requestBody;
    return;
  }
  if (json !== undefined && route.method === "PATCH") {
    requestBody.content = { "application/merge-patch+json": json, "application/json": json };
  }
  requestBody.required = Object.values(requestBody.content).some(
    ({ schema }) => (schema?.required ?? []).length > 0,
  );
  for (const media of Object.values(requestBody.content)) addExample(media);
}

function completeSuccess(response: Response, route: RouteInfo, status: number): void {
  response.description = DONE[status] ?? "Done.";
  response.headers = { ...successHeaders(route, status), ...response.headers };
  for (const media of Object.values(response.content ?? {})) addExample(media);
}

const DONE: Record<number, string> = {
  200: "Done.",
  201: "Created.",
  202: "Taken; what is left goes on by itself.",
  204: "Done; there is no body.",
};

function addExample(media: Media): void {
  if (media.example !== undefined || media.examples !== undefined || media.schema === undefined) return;
  media.example = exampleOf(media.schema);
}
