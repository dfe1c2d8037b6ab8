/** The parts of OpenAPI 3.1 that this folder reads or writes. Other fields are kept as they are. */
export type Schema = {
  title?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  examples?: unknown[];
  [keyword: string]: unknown;
};

export type Reference = { $ref: string };
export type Example = { summary?: string; value: unknown };
export type Media = { schema?: Schema; example?: unknown; examples?: Record<string, Example | Reference> };
export type Header = { description: string; schema: Schema };
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};
export type Response = {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, Media>;
};
export type RequestBody = { required?: boolean; description?: string; content: Record<string, Media> };

export type Operation = {
  operationId: string;
  tags: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  [field: string]: unknown;
};

export type SecurityScheme =
  | { type: "http"; scheme: "bearer"; description: string }
  | { type: "apiKey"; in: "header"; name: string; description: string };

export type Components = {
  schemas: Record<string, Schema>;
  responses: Record<string, Response>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  examples: Record<string, Example>;
  securitySchemes: Record<string, SecurityScheme>;
};

export type Document = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: Components;
  [field: string]: unknown;
};
