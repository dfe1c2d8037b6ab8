import type { AddressInfo } from "node:net";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

export type ReceivedMail = {
  recipients: string[];
  from: string | undefined;
  subject: string | undefined;
  messageId: string | undefined;
  text: string | undefined;
  html: string | false | undefined;
  /** As it was sent. */
  raw: string;
};

/** An SMTP server that keeps what it gets. It can refuse recipients, and can be stopped and started again. */
export async function startMailServer() {
  const received: ReceivedMail[] = [];
  const codes = new Map<string, number>();
  let port = 0;
  let server = listenable();

  function listenable(): SMTPServer {
    return new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      onRcptTo({ address }, _session, callback) {
        const code = codes.get(address) ?? 250;
        if (code === 250) return callback();
        callback(Object.assign(new Error(`refused for a test (${code})`), { responseCode: code }));
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const raw = Buffer.concat(chunks).toString("utf8");
          simpleParser(raw).then(({ from, subject, messageId, text, html }) => {
            const recipients = session.envelope.rcptTo.map(({ address }) => address);
            const sender = from?.value[0]?.address;
            received.push({ recipients, from: sender, subject, messageId, text, html, raw });
            callback();
          }, callback);
        });
      },
    });
  }

  async function listen(): Promise<void> {
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.server.address() as AddressInfo).port;
  }

  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));

  await listen();
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** The answer to a recipient from now on. */
    answer: (address: string, code: number) => void codes.set(address, code),
    /** The last mail to an address. */
    mailTo: (address: string): ReceivedMail | undefined =>
      received.findLast(({ recipients }) => recipients.includes(address)),
    /** The mail whose text names something. */
    mailOf(text: string): ReceivedMail {
      const found = received.find((mail) => mail.text?.includes(text));
      if (found === undefined) throw new Error(`no mail about ${text} yet`);
      return found;
    },
    stop,
    async restart(): Promise<void> {
      server = listenable();
      await listen();
    },
  };
}
