import { escapeHtml, oneLine } from "@asset-register/runtime";

/** The text of a mail. The greeting is a paragraph too. */
export type MailText = { subject: string; paragraphs: string[] };

type MailContent = { subject: string; text: string; html: string };

/** The mail of a text. Texts hold what users wrote, so the HTML is escaped and the subject is one line. */
export function mailContent({ subject, paragraphs }: MailText): MailContent {
  return {
    subject: oneLine(subject),
    text: `${paragraphs.map(oneLine).join("\n\n")}\n`,
    html: `<!doctype html><html><body>${paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join("")}</body></html>`,
  };
}

/** The content of an invitation. */
export type Invitation = {
  /** Of the invited person. */
  name: string;
  workspaceName: string;
  /** The token, or undefined when the email has an account: only its owner may learn that. */
  token: string | undefined;
  expiresAt: Date;
  /** The page that accepts invitations. */
  page: string | undefined;
};

/** The mail of an invitation. */
export function invitationMail(invitation: Invitation): MailText {
  const { name, workspaceName } = invitation;
  return {
    subject: `Invitation to ${workspaceName}`,
    paragraphs: [
      `Hello ${name},`,
      `you are invited to the workspace ${workspaceName} of Asset Register.`,
      ...invitationInstructions(invitation),
      "If you do not expect this invitation, ignore this mail.",
    ],
  };
}

function invitationInstructions({ token, page, expiresAt }: Invitation): string[] {
  if (token === undefined) {
    return [
      "This address already has an account, in another workspace. An address can have one account only.",
      "To accept the invitation, ask to be invited with another address.",
    ];
  }
  const end = `The invitation is valid until ${expiresAt.toISOString()}.`;
  return page === undefined
    ? [`To accept the invitation, use this token: ${token}`, end]
    : [
        "To accept the invitation and to choose a password, open this page:",
        invitationLink(page, token),
        end,
      ];
}

/** The text of the mail with a token. */
export type TokenMail = { token: string; expiresAt: Date; page: string };

/** To the owner of an account whose password somebody wants to reset. */
export function passwordResetMail({
  name,
  workspaceName,
  token,
  expiresAt,
  page,
}: TokenMail & { name: string; workspaceName: string }): MailText {
  return {
    subject: "Asset Register: choose a new password",
    paragraphs: [
      `Hello ${name},`,
      `somebody asked to reset the password of your account in the workspace ${workspaceName}.`,
      "To choose a new password, open this page:",
      linkTo(page, token),
      `The link is valid once, until ${expiresAt.toISOString()}.`,
      "If it was not you, ignore this mail. Your password stays as it is.",
    ],
  };
}

/** To a new address. It may be a stranger's, so it names nobody. */
export function emailChangeMail({ token, expiresAt, page }: TokenMail): MailText {
  return {
    subject: "Asset Register: confirm your email address",
    paragraphs: [
      "Hello,",
      "somebody wants to sign in to Asset Register with this email address. To confirm that it is yours, open this page:",
      linkTo(page, token),
      `The link is valid once, until ${expiresAt.toISOString()}.`,
      "If it was not you, ignore this mail. Then nothing changes.",
    ],
  };
}

/** To an address that another user wants to have, and that has an account. */
export function addressTakenMail(): MailText {
  return {
    subject: "Asset Register: this email address has an account",
    paragraphs: [
      "Hello,",
      "somebody wants to sign in to Asset Register with this email address. It has an account already, so nothing was changed. An address can have one account only.",
      "If it was not you, ignore this mail.",
    ],
  };
}

/** The address of a page of the console with a token: in the fragment, which browsers do not send. So it is in no log. */
export const linkTo = (page: string, token: string): string => `${page}#${token}`;

/** The page of an invitation may be another app's, which expects the name too. */
function invitationLink(page: string, token: string): string {
  const url = new URL(page);
  url.hash = `token=${token}`;
  return url.href;
}
