import { withOptionalNulls } from "../http/optional-nulls.ts";
import { isConditionalRead, requiredRight } from "../http/route-traits.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import { type ErrorForm, errorResponses, notModified } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { headerParametersOf, successHeaders } from "./headers.ts";
import type { Components, Media, Operation, Response } from "./types.ts";

/** GET /v1/assets/:id/movements becomes getAssetsByIdMovements. The id is as unique and stable as the route. */
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

/** Fields of an operation that follow from the declaration of the route, not from its schema. */
export function declaredFields(route: RouteInfo, credential: string) {
  const { access, schema } = route;
  const right = requiredRight(access);
  const needs = right && `Needs the ${right.kind} \`${right.name}\`.`;
  return {
    description: [schema.description, needs ?? CALLERS[Object.keys(access)[0] ?? ""]]
      .filter(Boolean)
      .join("\n\n"),
    security: securityOf(route, credential),
    ...(route.deprecated && { deprecated: true, "x-sunset": route.deprecated.sunset }),
    ...(right && { [`x-required-${right.kind}`]: right.name }),
  };
}

/** The access of routes that need no scope or capability, as a sentence. */
const CALLERS: Record<string, string> = {
  signedIn: "Any valid credential may call it.",
  public: "Needs no credential.",
  reader: "The reader signs the request. It needs no other credential.",
};

function securityOf({ access }: RouteInfo, credential: string): Record<string, string[]>[] {
  if ("public" in access) return [];
  if ("reader" in access) return [{ readerSignature: [] }];
  return [{ [credential]: "scope" in access ? [access.scope] : [] }];
}

/** Completes the operation that the generator made from the schema of a route, in place. */
export function completeOperation(
  operation: Operation,
  route: RouteInfo,
  form: ErrorForm,
  components: Components,
): void {
  const parameters = [...parametersOf(operation, route, components), ...headerParametersOf(route)];
  if (parameters.length > 0) operation.parameters = parameters;
  completeBody(operation, route);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!("$ref" in response)) completeSuccess(response, route, Number(status));
  }
  nameSchemas(operation);
  if (isConditionalRead(route)) operation.responses[304] = notModified;
  Object.assign(operation.responses, errorResponses(route, form, components));
}

/**
 * The parameters of an operation. Headers get their usual spelling, are required on routes of readers, and are left out
 * when they are credentials.
 */
function parametersOf(
  { parameters = [] }: Operation,
  { access }: RouteInfo,
  { securitySchemes }: Components,
) {
  const credentials = Object.values(securitySchemes).map((scheme) => "name" in scheme && scheme.name);
  return parameters
    .map((parameter) => {
      if ("$ref" in parameter) return parameter;
      // How a list is written belongs to the parameter. The generator leaves it in the schema.
      const { style, explode, ...schema } = parameter.schema;
      return { ...parameter, ...(style !== undefined && { style, explode }), schema };
    })
    .map((parameter) => {
      if ("$ref" in parameter) return parameter;
      // The generator marks a parameter with a default as required, because the server always has a value.
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
    // An action without fields needs no body.
    delete operation.requestBody;
    return;
  }
  if (json !== undefined && route.method === "PATCH") {
    requestBody.content = { "application/merge-patch+json": json, "application/json": json };
  }
  if (json?.schema !== undefined && route.method === "POST") json.schema = withOptionalNulls(json.schema);
  requestBody.required = Object.values(requestBody.content).some(
    ({ schema }) => (schema?.required ?? []).length > 0,
  );
  for (const media of Object.values(requestBody.content)) addExample(media);
}

function completeSuccess(response: Response, route: RouteInfo, status: number): void {
  response.description = DESCRIPTIONS[status] ?? "Done.";
  response.headers = { ...successHeaders(route, status), ...response.headers };
  for (const media of Object.values(response.content ?? {})) addExample(media);
}

/** Names the bodies that have no title, so that generated clients have one class for each, with a stable name. */
function nameSchemas({ operationId, requestBody, responses }: Operation): void {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  for (const [body, kind] of [
    [requestBody, "Request"],
    ...Object.values(responses).map((response) => [response, "Response"] as const),
  ] as const) {
    if (body === undefined || !("content" in body)) continue;
    for (const { schema } of Object.values(body.content ?? {})) {
      if (schema?.properties !== undefined) schema.title ??= name + kind;
    }
  }
}

const DESCRIPTIONS: Record<number, string> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted. Processing continues after this response.",
  204: "Done. The response has no body.",
  302: "The browser is sent on.",
};

function addExample(media: Media): void {
  if (media.example !== undefined || media.examples !== undefined || media.schema === undefined) return;
  media.example = exampleOf(media.schema);
}
