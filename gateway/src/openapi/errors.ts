import { AppError } from "@asset-register/runtime";
import { errorsOf } from "../error-catalogue/catalogue.ts";
import type { ErrorCode } from "../error-catalogue/error-code.ts";
import type { ErrorBody } from "../http/error-body.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import { errorHeaders, headerRef, REQUEST_ID } from "./headers.ts";
import type { Components, Example, Reference, Response, Schema } from "./types.ts";

/** How a surface words its errors, and the schema of that with its name. */
export type ErrorForm = { body: ErrorBody; name: string; schema: Schema };

/** With more codes than this, a name made of them would say less than the list itself. */
const MAX_NAMED = 2;

/** The errors of one route, from its declaration; what many routes share becomes a component. */
export function errorResponses(
  route: RouteInfo,
  form: ErrorForm,
  components: Components,
): Record<string, Response | Reference> {
  return Object.fromEntries(
    [...errorsOf(route)].map(([status, codes]) => {
      for (const code of codes) components.examples[code.code] ??= errorExample(code, form.body);
      const response = errorResponse(status, codes, form);
      if (codes.length > MAX_NAMED) return [status, response];
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

/** An answer with this code, as the surface words it. */
function errorExample({ code, status, cause }: ErrorCode, body: ErrorBody): Example {
  const violations = status === 422 ? [{ field: "name", message: "is required" }] : [];
  const error = new AppError({ kind: "invalid", code, message: cause, violations });
  return { value: body.present(error, status, REQUEST_ID) };
}

/** ASSET_DISPOSED is AssetDisposed. */
const pascal = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** 304 is no error, but has as little of its own to say. */
export const notModified: Response = {
  description: "Nothing has changed since the ETag of If-None-Match.",
  headers: { "X-Request-Id": headerRef("RequestId"), ETag: headerRef("ETag") },
};
