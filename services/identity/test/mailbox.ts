import { eventually } from "@asset-register/harness";
import { type ReceivedMail, startMailServer } from "@asset-register/mail/test";
import { expect } from "vitest";

/** A real SMTP server, and what it has received. */
export async function startMailbox() {
  const server = await startMailServer();
  const mailsTo = (email: string) => server.received.filter(({ recipients }) => recipients.includes(email));
  return {
    server,
    settings: { SMTP_URL: server.url, MAIL_FROM: "register@example.com" },
    mailsTo,
    /** Waits for `count` mails to the address. */
    arrived: (email: string, count = 1) =>
      eventually(() => {
        const mails = mailsTo(email);
        expect(mails).toHaveLength(count);
        return mails;
      }),
  };
}

/** The token in the link of a mail. */
export const tokenIn = (mail: ReceivedMail | undefined): string =>
  /#(?:token=)?([a-z]{2}_[\w-]{43})/.exec(mail?.text ?? "")?.[1] ?? "";
