import { invalidate } from "../api/client.ts";
import { ApiError } from "../api/problem.ts";

/** The header by which a change fails with 412 if the record has changed since it was read. */
export const ifMatch = ({ rev }: { rev: number }) => ({ "If-Match": `"${rev}.form"` });

/** Reads a list again when a change fails because somebody else has changed the record. */
export async function rereadIfChanged<T>(path: string, change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) invalidate(path);
    throw error;
  }
}
