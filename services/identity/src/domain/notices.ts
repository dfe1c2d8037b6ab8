import type { MailText } from "./account-mail.ts";

/** Mails that tell the owner of an account what was done with it. Each is queued by `queueNotice`. */
const notice = (subject: string, name: string, ...paragraphs: string[]): MailText => ({
  subject: `Asset Register: ${subject}`,
  paragraphs: [`Hello ${name},`, ...paragraphs],
});

const UNEXPECTED = "If it was not you, tell an admin of your workspace at once.";

/** The password was changed by its owner, who was signed in. */
export const passwordChanged = (name: string): MailText =>
  notice(
    "your password was changed",
    name,
    "the password of your account was changed. Your other devices have to sign in again.",
    UNEXPECTED,
  );

/** The password was set with a token that was mailed. */
export const passwordWasReset = (name: string): MailText =>
  notice(
    "your password was reset",
    name,
    "a new password was set for your account, by the link of a mail. All your devices have to sign in again.",
    UNEXPECTED,
  );

/** To the present address: a token was mailed to the new one. */
export const emailChangeRequested = (name: string, email: string): MailText =>
  notice(
    "a new email address was requested",
    name,
    `the address of your account is to become ${email}. It changes when the link in the mail to that address is opened.`,
    "If it was not you, somebody knows your password: change it now. That makes the link void.",
  );

/** To the earlier address. */
export const emailChanged = (name: string, email: string): MailText =>
  notice("your email address was changed", name, `the address of your account is now ${email}.`, UNEXPECTED);
/** A person signed in with the company's provider, and it was joined to the account. */
export const identityJoined = (name: string, workspaceName: string): MailText =>
  notice(
    "your account was joined to the sign-in of your company",
    name,
    `you have signed in to ${workspaceName} with the sign-in of your company. From now on it opens your account.`,
    UNEXPECTED,
  );

/** The TXT record of a domain is missing for days, or another workspace has verified the domain. To each admin. */
export const domainLost = (name: string, domain: string, taken: boolean): MailText =>
  notice(
    `the domain ${domain} is no longer verified`,
    name,
    taken
      ? `another workspace has verified the domain ${domain}, because the TXT record of yours was missing.`
      : `the TXT record of the domain ${domain} has been missing for 7 days.`,
    "New people can't sign in with single sign-on by addresses in this domain. People who have used it before still can.",
    "To verify the domain again, publish the TXT record that Settings, Single sign-on shows.",
  );

/** Somebody has forgotten the password of a user who must use the sign-in of the company. */
export const passwordNotUsed = (name: string): MailText =>
  notice(
    "you sign in with your company",
    name,
    "somebody wants to reset the password of your account. Your workspace requires the sign-in of your company, so passwords are not used.",
    'On the sign-in page of Asset Register, choose "Sign in with your company".',
  );

/** To each admin of the workspace. */
export const apiKeyExpires = (name: string, key: string, workspaceName: string, at: Date): MailText =>
  notice(
    `the API key ${key} expires`,
    name,
    `the API key ${key} of the workspace ${workspaceName} expires at ${at.toISOString()}. Programs that use it are refused from then on.`,
    "Make a new key in the settings in time, and give it to these programs.",
  );

/** A second factor was set up. */
export const factorAdded = (name: string, factor: string): MailText =>
  notice(
    "a second factor was set up",
    name,
    `a second factor was set up for your account: ${factor}. Your other devices have to sign in again.`,
    UNEXPECTED,
  );

/** A second factor was removed by its owner. */
export const factorRemoved = (name: string, factor: string): MailText =>
  notice(
    "a second factor was removed",
    name,
    `a second factor of your account was removed: ${factor}. Your other devices have to sign in again.`,
    UNEXPECTED,
  );

/** Recovery codes were replaced. */
export const recoveryCodesRenewed = (name: string): MailText =>
  notice(
    "new recovery codes",
    name,
    "new recovery codes were made for your account. The earlier ones no longer work.",
    UNEXPECTED,
  );

/** An admin or an operator has removed all second factors. */
export const factorsReset = (name: string): MailText =>
  notice(
    "your second factors were removed",
    name,
    "an admin of your workspace has removed all second factors of your account. You have to sign in again, and can set up new ones.",
    "If you did not ask for this, tell an admin of your workspace at once.",
  );
