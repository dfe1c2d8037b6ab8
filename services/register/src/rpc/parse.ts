import type { PageRequest } from "@asset-register/proto/assetregister/common/v1/page_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import { z } from "zod";
import type { PageWanted } from "../domain/page.ts";

const snakeCase = (name: PropertyKey): string =>
  String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Reads a request by its schema: VALIDATION_FAILED names each field in the caller's words. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(({ path, message }) => ({ field: path.map(snakeCase).join("."), message })),
  );
}

const trimmed = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`);

/** Text that must say something. */
export const required = (max: number) => trimmed(max).min(1, "is required");

/** Text that may be empty, which means not given. */
export const optional = (max: number) => trimmed(max).transform((text) => text || undefined);

/** An id to look up; whether it exists is another question. */
export const reference = optional(limits.id);

export const requiredReference = required(limits.id);

const MAX_IDS = 1000;

/** Ids that another service asks for at once. */
export const someIds = z.array(z.string()).max(MAX_IDS, `must name at most ${MAX_IDS}`);

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 50;

/** The page that is wanted; the gateway has bounded it for callers, this bounds it for everybody. */
export function parsePage(page: PageRequest | undefined): PageWanted {
  return {
    page: page?.page || 1,
    limit: Math.min(page?.limit || DEFAULT_LIMIT, MAX_LIMIT),
    cursor: page?.cursor || undefined,
  };
}
