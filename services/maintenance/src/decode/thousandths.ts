import { limits } from "@asset-register/proto/limits";
import { z } from "zod";

/** A number of units of a meter: not negative, with at most 3 decimals, so that sums are exact. */
export const thousandths = z
  .number("is required")
  .min(0, "must not be negative")
  .max(limits.meterValue, `must be at most ${limits.meterValue}`)
  .refine((value) => Math.round(value * 1_000) / 1_000 === value, "must have at most 3 decimals");
