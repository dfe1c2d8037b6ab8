import type { Document } from "../src/openapi/types.ts";

/** The document of a surface as a gateway gives it. */
export async function fetchDocument(url: string, name: "surface-a" | "surface-b"): Promise<Document> {
  const response = await fetch(`${url}/openapi/${name}.json`);
  if (!response.ok) throw new Error(`${name} answers ${response.status}`);
  return response.json() as Promise<Document>;
}

/** Every operation of a document, webhooks aside. */
export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
