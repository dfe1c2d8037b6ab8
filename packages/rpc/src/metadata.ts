import type { Metadata } from "@grpc/grpc-js";

/** Metadata with the token of the calling process. `authorization` has that of the caller for whom it calls. */
export const SERVICE_AUTHORIZATION = "service-authorization";

export function textOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

/** The token in an entry of the form "Bearer <token>". */
export function bearerOf(metadata: Metadata, name: string): string | undefined {
  const value = textOf(metadata, name);
  return value?.startsWith("Bearer ") === true ? value.slice(7) : undefined;
}
