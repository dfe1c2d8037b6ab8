import { z } from "zod";
import { settings } from "./config.ts";

/** Where the gateway is reached without settings. */
const DEVELOPMENT_URL = "http://localhost:8080";

/** The address of the platform for people, in labels, mails and redirects. */
export const publicUrlSetting = {
  PUBLIC_URL: settings
    .url()
    .refine((text) => /^https?:\/\/[^?#]+$/i.test(text), "must be http:// or https:// without a query")
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
};

type Given = { NODE_ENV: string; PUBLIC_URL?: string | undefined };

/** For `transform` of a schema with the setting: it is required in production, and has a default otherwise. */
export function withPublicUrl<C extends Given>(
  config: C,
  context: z.RefinementCtx,
): Omit<C, "PUBLIC_URL"> & { PUBLIC_URL: string } {
  const { PUBLIC_URL, NODE_ENV, ...rest } = config;
  if (PUBLIC_URL === undefined && NODE_ENV === "production") {
    context.addIssue({ code: "custom", path: ["PUBLIC_URL"], message: "is required in production" });
    return z.NEVER;
  }
  return { ...rest, NODE_ENV, PUBLIC_URL: PUBLIC_URL ?? DEVELOPMENT_URL } as Omit<C, "PUBLIC_URL"> & {
    PUBLIC_URL: string;
  };
}
