import { once } from "node:events";
import { request } from "node:http";
import { testKeys } from "@asset-register/harness";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { implement, upload } from "@asset-register/rpc";
import { startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, it } from "vitest";
import { startGateway } from "./gateway.ts";

const MIB = 1024 * 1024;
const ID = "ast_01kahz9gfxe7s8aw52mzxgpsk0";

const keys = testKeys("gateway", "upstream");
const maintenance = await startFakeService("upstream", keys, [
  implement(AttachmentService, {
    addAttachment: upload(
      (header) => header,
      async (header, content) => {
        for await (const _ of content);
        return header;
      },
      ({ assetId, description }) => ({ attachment: { id: ID, assetId, description, rev: 1 } }),
    ),
    getAttachment: async function* () {},
    listAttachments: () => ({}),
    deleteAttachment: () => ({}),
  }),
]);
const gateway = await startGateway({ keys, settings: { MAINTENANCE_ADDRESS: maintenance.address } });
const token = gateway.accounts.session("admin");
afterAll(async () => {
  await gateway.stop();
  await maintenance.stop();
});

const field = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\ncontent\r\n';
const NAMELESS = "--b\r\ncontent-type: text/plain\r\n\r\nx\r\n";
const END = "--b--\r\n";

/** Sends a form in chunks, without a Content-Length, until the answer begins. Reports how many bytes it could send. */
async function send(parts: Iterable<string>) {
  const url = `${gateway.url}/asset_manager_api/assets/${ID}/attachments`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=b" };
  const sending = request(url, { method: "POST", headers });
  sending.on("error", () => undefined);
  const answered = once(sending, "response");
  let isAnswered = false;
  answered.then(() => {
    isAnswered = true;
  });
  let sent = 0;
  for (const part of parts) {
    if (isAnswered) break;
    sent += part.length;
    if (!sending.write(part)) await Promise.race([once(sending, "drain"), answered]);
  }
  sending.end();
  const [response] = await answered;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text), sent };
}

function* repeated(text: string, times: number): Generator<string> {
  for (let index = 0; index < times; index += 1) yield text;
}

/** The largest file, what the gateway reads and ignores after an answer, and the buffers of both sockets. */
const MAX_SENT = 20 * MIB + 8 * MIB + 8 * MIB;

it("a field of a known name is accepted", async () => {
  const { status, body } = await send([field("description", "x".repeat(2_000)), file, END]);
  expect([status, body.description]).toEqual([201, "x".repeat(2_000)]);
});

it("the first unknown name ends the form with 422", async () => {
  const { status, body, sent } = await send(repeated(field("note", "x".repeat(50_000)), 6_000));
  expect([status, body.errors]).toEqual([422, [{ field: "note", message: "is not a known field" }]]);
  expect(sent).toBeLessThan(MAX_SENT);
});

it.each([
  ["300 fields of 1 MiB", repeated(field("description", "x".repeat(MIB)), 300)],
  ["a known field of more than 64 KiB", [field("description", "x".repeat(64 * 1024)), file, END]],
  ["a field without an end", [field("description", "").slice(0, -2), ...repeated("x".repeat(MIB), 300)]],
  ["parts without a name", [...repeated(NAMELESS, 22), file, END]],
  ["no part at all", repeated("x".repeat(MIB), 300)],
  ["more and more behind the file", [file, END, ...repeated("x".repeat(MIB), 300)]],
])("%s: 413, and the rest is not read", async (_what, parts) => {
  const { status, body, sent } = await send(parts);
  expect([status, body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect(sent).toBeLessThan(MAX_SENT);
});
