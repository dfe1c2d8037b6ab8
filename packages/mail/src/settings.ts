import { z } from "zod";
import { parseAddress } from "./addresses.ts";

export type SmtpSettings = {
  /** smtp://user:password@host:587 or smtps://... */
  url: string;
  /** The address of the sender. */
  from: string;
};

const isSmtpUrl = (text: string): boolean =>
  URL.canParse(text) && ["smtp:", "smtps:"].includes(new URL(text).protocol);

/** The settings of the mail server, to spread into the schema of a service. */
export const mailSettings = {
  SMTP_URL: z.string().refine(isSmtpUrl, "must begin with smtp:// or smtps://").optional(),
  MAIL_FROM: z
    .string()
    .refine((text) => parseAddress(text).ok, "must be an email address")
    .optional(),
};

const schema = z.object(mailSettings);

/**
 * Returns the settings of the mail server, or undefined without SMTP_URL.
 *
 * @throws Error if only one of the two is set
 */
export function smtpSettings({
  SMTP_URL: url,
  MAIL_FROM: from,
}: z.output<typeof schema>): SmtpSettings | undefined {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new Error("SMTP_URL and MAIL_FROM must be set together.");
  }
  return { url, from };
}
