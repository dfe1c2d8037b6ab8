import type { JsonSchema } from "./schema.ts";

const BOUNDARY = "matrix-form";

/** Whether the body of a route is a multipart form with a file. */
export const isForm = (body: JsonSchema | undefined): boolean => body?.properties?.file?.format === "binary";

/** The content type and text of a body. In a form, a text is the content of the file. */
export function encodeBody(schema: JsonSchema | undefined, body: unknown): { type: string; text: string } {
  return isForm(schema)
    ? encodeForm(body as object)
    : { type: "application/json", text: JSON.stringify(body) };
}

/** Encodes a form. A text as `file` is the content of the file. */
export function encodeForm(body: object): { type: string; text: string } {
  const parts = Object.entries(body).map(([name, value]) => {
    const file = name === "file" && typeof value === "string" ? `; filename="file"` : "";
    const content = typeof value === "string" ? value : JSON.stringify(value);
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  const text = `${parts.join("")}--${BOUNDARY}--\r\n`;
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, text };
}
