import { envelopeError, problem } from "../http/error-body.ts";
import { envelopeErrorSchema, problemSchema } from "./error-schemas.ts";
import type { ErrorForm } from "./errors.ts";
import { plainSchema } from "./example.ts";
import type { SecurityScheme } from "./types.ts";

/** The parts of a document that are about the surface as a whole. */
export type SurfaceDocument = {
  /** The name in its path: /openapi/surface-a.json. */
  name: string;
  info: { title: string; version: string; summary: string; description: string };
  server: { url: string; description: string };
  /** Name of the security scheme that most of its routes use. */
  credential: string;
  securitySchemes: Record<string, SecurityScheme>;
  errors: ErrorForm;
  webhooks: boolean;
};

const COMMON = `
Every response has an \`X-Request-Id\`. Quote it when you report a problem. Unknown fields and parameters are refused,
so that misspelt names are noticed. Lists are sorted by id. Every error has a \`code\`:
[all codes with cause and cure](/docs/errors).
`;

export const documentOfA: SurfaceDocument = {
  name: "surface-a",
  info: {
    title: "Asset Register, surface A",
    version: "1",
    summary: "The register for programs: API keys, and one envelope for every response.",
    description: `${COMMON}
Send \`Authorization: Bearer <API key>\`. An admin creates API keys on surface B. A key can do only what its scopes
allow. All keys of a workspace share one rate limit.`.trim(),
  },
  server: { url: "/", description: "This host" },
  credential: "apiKey",
  securitySchemes: {
    apiKey: { type: "http", scheme: "bearer", description: "An API key with scopes: `ask_live_...`" },
  },
  errors: { body: envelopeError, name: "Error", schema: plainSchema(envelopeErrorSchema) },
  webhooks: true,
};

export const documentOfB: SurfaceDocument = {
  name: "surface-b",
  info: {
    title: "Asset Register, surface B",
    version: "1",
    summary: "The workspace for apps of people: sign-in sessions and capabilities.",
    description: `${COMMON}
Sign in at \`/login\`, and send \`Authorization: Bearer <access token>\`. When the access token expires, exchange the
refresh token for new tokens at \`/auth/refresh\`. A user can do what their capabilities allow. An admin has all
capabilities.`.trim(),
  },
  server: { url: "/asset_manager_api", description: "This host" },
  credential: "session",
  securitySchemes: {
    session: { type: "http", scheme: "bearer", description: "The access token of a session: `at_...`" },
    readerSignature: {
      type: "apiKey",
      in: "header",
      name: "X-Reader-Signature",
      description: `\`v1=\` and the HMAC-SHA256 in hex. The key is the whole text of the reader's secret. The signed text is
\`v1\\nPOST\\n/asset_manager_api/ingest/events\\n{X-Reader-Id}\\n{X-Reader-Timestamp}\\n{X-Reader-Nonce}\\n{hex SHA-256 of the body}\`.`,
    },
  },
  errors: { body: problem, name: "Problem", schema: plainSchema(problemSchema) },
  webhooks: false,
};
