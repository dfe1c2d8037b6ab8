export { parseAddress, parseAddresses } from "./addresses.ts";
export { createMailer, type Mail, type Mailer, type MailResult } from "./mailer.ts";
export { mailDelayAfter } from "./retry.ts";
export { mailSettings, type SmtpSettings, smtpSettings } from "./settings.ts";
