import { AppError } from "@asset-register/runtime";
import { errorsOf } from "../error-catalogue/catalogue.ts";
import type { ErrorCode } from "../error-catalogue/error-code.ts";
import type { ErrorBody } from "../http/error-body.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import { errorHeaders, headerRef, REQUEST_ID } from "./headers.ts";
import type { Components, Example, Reference, Response, Schema } from "./types.ts";

/** The form of a surface's error bodies, with their schema and its name. */
export type ErrorForm = { body: ErrorBody; name: string; schema: Schema };

/** Responses with more codes are not made components: a name that joins all codes would be too long. */
const MAX_CODES_IN_NAME = 2;

/** The error responses of a route by status. Responses with few codes become components, which routes share. */
export function errorResponses(
  route: RouteInfo,
  form: ErrorForm,
  components: Components,
): Record<string, Response | Reference> {
  return Object.fromEntries(
    [...errorsOf(route)].map(([status, codes]) => {
      for (const code of codes) components.examples[code.code] ??= errorExample(code, form.body);
      const response = errorResponse(status, codes, form);
      if (codes.length > MAX_CODES_IN_NAME) return [status, response];
      const name = codes.map(({ code }) => pascal(code)).join("Or");
      components.responses[name] ??= response;
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function errorResponse(status: number, codes: ErrorCode[], { body, name }: ErrorForm): Response {
  const [mediaType = ""] = body.contentType.split(";");
  return {
    description: codes.map(({ code, cause }) => `\`${code}\`: ${cause}`).join("\n\n"),
    headers: errorHeaders(status),
    content: {
      [mediaType]: {
        schema: { $ref: `#/components/schemas/${name}` },
        examples: Object.fromEntries(
          codes.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

/** An error with this code in the form of the surface. */
function errorExample({ code, status, cause }: ErrorCode, body: ErrorBody): Example {
  const violations = status === 422 ? [{ field: "name", message: "is required" }] : [];
  const error = new AppError({ kind: "invalid", code, message: cause, violations });
  return { value: body.present(error, status, REQUEST_ID) };
}

/** ASSET_DISPOSED becomes AssetDisposed. */
const pascal = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The response 304, which is the same for all routes, like the errors. */
export const notModified: Response = {
  description: "The record has not changed: its ETag is in If-None-Match.",
  headers: { "X-Request-Id": headerRef("RequestId"), ETag: headerRef("ETag") },
};
