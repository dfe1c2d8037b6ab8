import { envelopeError, problem } from "../http/error-body.ts";
import { envelopeErrorSchema, problemSchema } from "./error-schemas.ts";
import type { ErrorForm } from "./errors.ts";
import { plainSchema } from "./example.ts";
import type { SecurityScheme } from "./types.ts";

/** What a surface's document says of the surface as a whole. */
export type SurfaceDocument = {
  /** As in its address, /openapi/surface-a.json. */
  name: string;
  info: { title: string; version: string; summary: string; description: string };
  server: { url: string; description: string };
  /** Name of the scheme by which most of its routes know their caller. */
  credential: string;
  securitySchemes: Record<string, SecurityScheme>;
  errors: ErrorForm;
  webhooks: boolean;
};

const COMMON = `
Every answer carries \`X-Request-Id\`; quote it when you ask us. Unknown fields and parameters are refused, so a
misspelt one is noticed. Lists are in order of id. Errors carry a \`code\`: [all of them, with cause and cure](/docs/errors).
`;

export const documentOfA: SurfaceDocument = {
  name: "surface-a",
  info: {
    title: "Asset Register, surface A",
    version: "1",
    summary: "The register for programs: API keys, one envelope for every answer.",
    description: `${COMMON}
Send \`Authorization: Bearer <API key>\`; an admin makes keys on surface B. A key is limited to its scopes, and all
keys of a workspace share one rate limit.`.trim(),
  },
  server: { url: "/", description: "This host" },
  credential: "apiKey",
  securitySchemes: {
    apiKey: { type: "http", scheme: "bearer", description: "An API key, `ask_live_...`, with scopes." },
  },
  errors: { body: envelopeError, name: "Error", schema: plainSchema(envelopeErrorSchema) },
  webhooks: true,
};

export const documentOfB: SurfaceDocument = {
  name: "surface-b",
  info: {
    title: "Asset Register, surface B",
    version: "1",
    summary: "The workspace for people's apps: sign-in sessions, capabilities.",
    description: `${COMMON}
Sign in at \`/login\`, send \`Authorization: Bearer <access token>\`, and swap the refresh token at \`/auth/refresh\`
when the access token ends. A user can do what their capabilities say; an admin everything.`.trim(),
  },
  server: { url: "/asset_manager_api", description: "This host" },
  credential: "session",
  securitySchemes: {
    session: { type: "http", scheme: "bearer", description: "The access token of a session, `at_...`." },
    readerSignature: {
      type: "apiKey",
      in: "header",
      name: "X-Reader-Signature",
      description: `\`v1=\` and the hex HMAC-SHA256, under the reader's secret (its whole text), of
\`v1\\nPOST\\n/asset_manager_api/ingest/events\\n{X-Reader-Id}\\n{X-Reader-Timestamp}\\n{X-Reader-Nonce}\\n{hex SHA-256 of the body}\`.`,
    },
  },
  errors: { body: problem, name: "Problem", schema: plainSchema(problemSchema) },
  webhooks: false,
};
