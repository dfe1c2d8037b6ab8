import type { Keyring } from "@asset-register/runtime";

export type MailSettings = {
  keyring: Keyring;
  /** The page that accepts invitations. */
  invitationPage: string | undefined;
  /** The pages that take the other tokens. */
  pages: { reset: string; email: string };
};

/** A mail that can be sent; or nothing: it is not needed any more, or can't be sent for now. */
export type Prepared = { id: string; to: string; subject: string; paragraphs: string[] } | "drop" | "wait";
