import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { upload } from "@asset-register/rpc";
import { serving } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";

const ID = "ast_01kahz9gfxe7s8aw52mzxgpsk0";
/** So many that their time at the slowest rate is longer than any pause of a busy machine. */
const FILE_BYTES = 8_000_000;

/** A gateway with a time-out that is short, but enough to check a credential on a busy machine, in front of a register that reads the content of an image. */
async function start(settings: Record<string, string>) {
  const outcome = Promise.withResolvers<number | "broken">();
  const setImage = upload(
    ({ id }: { id: string }) => id,
    async (id, content) => {
      let bytes = 0;
      try {
        for await (const chunk of content) bytes += chunk.length;
      } catch (error) {
        outcome.resolve("broken");
        throw error;
      }
      outcome.resolve(bytes);
      return id;
    },
    (id) => ({ asset: { id, rev: 2 } }),
  );
  const gateway = await startGateway({
    implementations: [serving(AssetImageService, { setImage })],
    settings: { REQUEST_TIMEOUT: "5s", ...settings },
  });
  onTestFinished(() => gateway.stop());
  return { gateway, stored: outcome.promise };
}

/** A socket that has sent the beginning of a request, and what it receives until its end. */
function begin({ url, accounts }: TestGateway, path: string, type: string, length: number, text: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /asset_manager_api${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
      `authorization: Bearer ${accounts.session("admin")}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${text}`,
  );
  return { socket, answer: answerOf(socket) };
}

async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (data) => {
    text += data.toString();
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  return text;
}

const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
const tail = "\r\n--b--\r\n";
const beginUpload = (gateway: TestGateway) => {
  const length = head.length + FILE_BYTES + tail.length;
  return begin(gateway, `/assets/${ID}/image`, "multipart/form-data; boundary=b", length, head);
};

test("a request that does not arrive within REQUEST_TIMEOUT is 408, but an upload may take longer", async () => {
  const { gateway, stored } = await start({ UPLOAD_BYTES_PER_SECOND: "200000" });
  const image = beginUpload(gateway);
  const slow = [begin(gateway, "/assets", "application/json", 100, '{"name":')];
  // The limit also holds where nothing reads the body.
  slow.push(begin(gateway, "/none", "application/json", 100, '{"name":'));
  slow.push(begin(gateway, "/assets/%", "application/json", 100, '{"name":'));
  const [first = ""] = await Promise.all(slow.map(({ answer }) => answer));
  expect(first).toMatch(/^HTTP\/1.1 408 /);
  expect(first).toContain("The request did not arrive in time.");
  image.socket.write(Buffer.alloc(FILE_BYTES));
  image.socket.write(tail);
  expect(await image.answer).toMatch(/^HTTP\/1.1 200 /);
  expect(await stored).toBe(FILE_BYTES);
});

test("an upload that is slower than UPLOAD_BYTES_PER_SECOND is 408, and the service never sees its end", async () => {
  const { gateway, stored } = await start({ UPLOAD_BYTES_PER_SECOND: "1000000000" });
  const { socket, answer } = beginUpload(gateway);
  socket.write(Buffer.alloc(FILE_BYTES));
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
  expect(await stored).toBe("broken");
});
