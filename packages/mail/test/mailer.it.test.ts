import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createMailer } from "../src/mailer.ts";
import { startMailServer } from "./mail-server.ts";

const server = await startMailServer();
const mailer = createMailer({ url: server.url, from: "alerts@example.com" }, { timeoutMs: 2000 });
afterEach(() => server.received.splice(0));
afterAll(async () => {
  mailer.close();
  await server.stop();
});

const mail = (fields: object = {}) => ({
  ...{
    id: "dlv_1",
    to: "ada@example.com",
    subject: "Tür 門 😀",
    text: "Tür 門 😀\n",
    html: "<p>Tür 門 😀</p>",
  },
  ...fields,
});

describe("send", () => {
  test("a mail arrives as text and HTML in any script, with the id as its Message-ID", async () => {
    expect(await mailer.send(mail({ to: "grace@xn--bcher-kva.example" }))).toEqual({ ok: true });
    const [received] = server.received;
    expect(received).toMatchObject({
      // The test server shows domains in Unicode.
      recipients: ["grace@bücher.example"],
      subject: "Tür 門 😀",
      messageId: "<dlv_1@example.com>",
      text: "Tür 門 😀\n",
      html: expect.stringContaining("<p>Tür 門 😀</p>"),
    });
    expect(received?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  test.each([
    { subject: "a\r\nBcc: eve@example.com" },
    { to: "a@example.com\nb@example.com" },
    { id: "x\r" },
  ])("a line end in %j is final, and nothing is sent", async (fields) => {
    expect(await mailer.send(mail(fields))).toMatchObject({ ok: false, final: true });
    expect(server.received).toEqual([]);
  });

  test("an answer 4xx may be retried, 5xx is final", async () => {
    server.answer("ada@example.com", 450);
    expect(await mailer.send(mail())).toMatchObject({ ok: false, final: false, code: 450 });
    server.answer("ada@example.com", 553);
    expect(await mailer.send(mail())).toMatchObject({ ok: false, final: true, code: 553 });
    server.answer("ada@example.com", 250);
    expect(await mailer.send(mail())).toEqual({ ok: true });
  });

  test("a server that is unavailable fails the attempt, and the next attempt works when it is back", async () => {
    await server.stop();
    expect(await mailer.send(mail())).toMatchObject({ ok: false, final: false });
    await server.restart();
    expect(await mailer.send(mail())).toEqual({ ok: true });
  });
});
