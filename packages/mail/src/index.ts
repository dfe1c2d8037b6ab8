export { parseAddresses } from "./addresses.ts";
export { createMailer, type Mail, type Mailer, type MailResult } from "./mailer.ts";
export { mailSettings, type SmtpSettings, smtpSettings } from "./settings.ts";
