import type { Document } from "../src/openapi/types.ts";

/** Fetches the OpenAPI document of a surface from a gateway. */
export async function fetchDocument(url: string, name: "surface-a" | "surface-b"): Promise<Document> {
  const response = await fetch(`${url}/openapi/${name}.json`);
  if (!response.ok) throw new Error(`${name} answers ${response.status}`);
  return response.json() as Promise<Document>;
}

/** Every operation of a document, without webhooks. */
export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
