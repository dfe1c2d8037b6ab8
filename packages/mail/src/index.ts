export { parseAddress, parseAddresses } from "./addresses.ts";
export { AT_ONCE, type ClaimedMail, createMailClaims, type MailKeys } from "./claims.ts";
export { createMailer, type Mail, type Mailer, type MailResult } from "./mailer.ts";
export { mailDelayAfter } from "./retry.ts";
export { mailSettings, type SmtpSettings, smtpSettings } from "./settings.ts";
export { createMailWorker } from "./worker.ts";
