import { expect, test } from "vitest";
import { type Invitation, invitationMail, mailContent } from "./account-mail.ts";

const invitation = {
  name: "Grace",
  workspaceName: "Acme <&> Söhne\r\nBcc: eve@example.com",
  token: "it_abc",
  expiresAt: new Date("2026-01-05T12:00:00.000Z"),
  page: undefined,
};

const contentOf = (invited: Invitation) => mailContent(invitationMail(invited));

test("the mail of an invitation has one line as its subject and escaped HTML", () => {
  const { subject, text, html } = contentOf(invitation);
  expect(subject).toBe("Invitation to Acme <&> Söhne Bcc: eve@example.com");
  expect(text).toContain("use this token: it_abc\n");
  expect(text).toContain("valid until 2026-01-05T12:00:00.000Z.");
  expect(html).toContain("Acme &lt;&amp;&gt; Söhne Bcc: eve@example.com");
});

test("with a page the mail has a link to it, and the token is in its fragment", () => {
  const page = "https://app.example.com/welcome?lang=de";
  const { text, html } = contentOf({ ...invitation, page });
  const link = "https://app.example.com/welcome?lang=de#token=it_abc";
  expect(text).toContain(`\n${link}\n`);
  expect(html).toContain(`<p>${link}</p>`);
});

test("for an address with an account the mail says so, and has no token", () => {
  const { text } = contentOf({ ...invitation, token: undefined });
  expect(text).toContain("already has an account");
  expect(text).not.toContain("token");
});
