import nodemailer from "nodemailer";
import type { SmtpSettings } from "./settings.ts";

export type Mail = {
  /** Without angle brackets and domain. The same in each attempt, so that receivers recognise a repeat. */
  id: string;
  /** One address: a server can accept some of several addresses and refuse the others without an error. */
  to: string;
  subject: string;
  text: string;
  html: string;
};

/** `final`: the server refuses the mail for good, so it must not be sent again. */
export type MailResult =
  | { ok: true }
  | { ok: false; final: boolean; code: number | undefined; error: string };

export type Mailer = {
  /** Sends once. Never throws: a failure is a result. */
  send(mail: Mail): Promise<MailResult>;
  close(): void;
};

const TIMEOUT_MS = 15_000;
const CONNECTIONS = 5;

/**
 * Sends mail to one SMTP server, over few connections that stay open. STARTTLS is used if the server offers it.
 *
 * @throws Error for a subject or address with a line end: it would add a header
 */
export function createMailer({ url, from }: SmtpSettings, { timeoutMs = TIMEOUT_MS } = {}): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // The content is text of users: it must not name files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return {
    async send({ id, to, subject, text, html }) {
      if ([id, subject, to].some((value) => /[\r\n]/.test(value))) {
        return { ok: false, final: true, code: undefined, error: "a header must have no line ends" };
      }
      try {
        await transport.sendMail({
          // As an object, the address is not parsed again.
          ...{ from, to: { name: "", address: to }, subject, text, html },
          messageId: `<${id}@${domain}>`,
          // Asks for no answers of machines, such as notes of absence (RFC 3834).
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { ok: true };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** 5xx is final (RFC 5321), but not for a refused sign-in, which an operator repairs. */
function failureOf(error: unknown): MailResult {
  const { code, responseCode, message } = Object(error) as {
    code?: unknown;
    responseCode?: unknown;
    message?: unknown;
  };
  const status = typeof responseCode === "number" ? responseCode : undefined;
  const final = status !== undefined && status >= 500 && status < 600 && code !== "EAUTH";
  const reason = status === undefined ? String(code ?? "the mail was not sent") : String(message);
  return { ok: false, final, code: status, error: reason };
}
