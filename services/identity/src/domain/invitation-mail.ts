import { escapeHtml, oneLine } from "@asset-register/runtime";

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

type MailContent = { subject: string; text: string; html: string };

/** The mail of an invitation. Its texts hold what users wrote, so the HTML is escaped and the subject is one line. */
export function invitationMail(invitation: Invitation): MailContent {
  const { name, workspaceName } = invitation;
  const paragraphs = [
    `Hello ${name},`,
    `you are invited to the workspace ${workspaceName} of Asset Register.`,
    ...instructions(invitation),
    "If you do not expect this invitation, ignore this mail.",
  ];
  return {
    subject: oneLine(`Invitation to ${workspaceName}`),
    text: `${paragraphs.map(oneLine).join("\n\n")}\n`,
    html: `<!doctype html><html><body>${paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join("")}</body></html>`,
  };
}

function instructions({ token, page, expiresAt }: Invitation): string[] {
  if (token === undefined) {
    return [
      "This address already has an account, in another workspace. An address can have one account only.",
      "To accept the invitation, ask to be invited with another address.",
    ];
  }
  const end = `The invitation is valid until ${expiresAt.toISOString()}.`;
  return page === undefined
    ? [`To accept the invitation, use this token: ${token}`, end]
    : ["To accept the invitation and to choose a password, open this page:", linkTo(page, token), end];
}

/** The token is in the fragment, which browsers do not send: it is in no log of a server and in no Referer. */
function linkTo(page: string, token: string): string {
  const url = new URL(page);
  url.hash = `token=${token}`;
  return url.href;
}
