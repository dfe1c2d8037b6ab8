import { limits } from "@asset-register/proto/limits";
import { field } from "@asset-register/rpc";
import { z } from "zod";
import { filterActionNames } from "../encode/read-filter.ts";

const filter = z.object({
  action: field.enum(filterActionNames),
  prefix: z
    .string()
    .regex(/^[0-9A-Fa-f]+$/, "must be hex")
    .max(limits.epcDigits, `must have at most ${limits.epcDigits} digits`)
    .transform((text) => text.toUpperCase()),
  bits: field.integer({ min: 1, max: 4 * limits.epcDigits }).optional(),
});

/** Filters of reads, in their order. */
export const readFilters = (most: number) => z.array(filter).max(most, `must have at most ${most} filters`);
