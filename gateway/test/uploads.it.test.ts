import { connect } from "node:net";
import { testKeys } from "@asset-register/harness";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { AssetImageService, ImageSize } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { type Handlers, implement, upload } from "@asset-register/rpc";
import { startFakeService } from "@asset-register/service-harness";
import { afterAll, expect, it } from "vitest";
import { startGateway } from "./gateway.ts";

const MIB = 1024 * 1024;
const ID = "ast_01kahz9gfxe7s8aw52mzxgpsk0";
const ATTACHMENT = "att_01kahz9gfxe7s8aw52mzxgpsk0";

/** The outcome of each upload at the service: its bytes, or "broken". */
const outcomes: (number | "broken")[] = [];
let ended = Promise.withResolvers<void>();

const handlers: Handlers<typeof AssetImageService> = {
  setImage: upload(
    ({ id }) => id,
    async (id, content) => {
      let bytes = 0;
      try {
        for await (const chunk of content) bytes += chunk.length;
        outcomes.push(bytes);
      } catch (error) {
        outcomes.push("broken");
        throw error;
      } finally {
        ended.resolve();
      }
      return id;
    },
    (id) => ({ asset: { id, rev: 2 } }),
  ),
  getImage: async function* ({ size }) {
    const [contentType, sha256, content] =
      size === ImageSize.SMALL ? ["image/webp", "def", "small"] : ["image/png", "abc", "image"];
    yield { part: { case: "image" as const, value: { contentType, bytes: 5, sha256 } } };
    yield { part: { case: "chunk" as const, value: Buffer.from(content) } };
  },
  listThumbnails: () => ({}),
  removeImage: () => ({}),
};

/** The names of the attachments as the service got them. It answers one of these names. */
const names: string[] = [];
const HOSTILE = 'a"; filename="b.exe\r\nX-Header: 1\u202e.pdf';

const attachments: Handlers<typeof AttachmentService> = {
  addAttachment: upload(
    (header) => header,
    async (header, content) => {
      for await (const _ of content) names.push(header.name);
      return content.input();
    },
    ({ assetId, name, description }) => ({
      attachment: { id: ATTACHMENT, assetId, name, description, rev: 1 },
    }),
  ),
  getAttachment: async function* () {
    const attachment = { id: ATTACHMENT, name: HOSTILE, contentType: "application/pdf", bytes: 4, rev: 1 };
    yield { part: { case: "attachment" as const, value: attachment } };
    yield { part: { case: "chunk" as const, value: Buffer.from("%PDF") } };
  },
  listAttachments: () => ({}),
  deleteAttachment: () => ({}),
};

const keys = testKeys("gateway", "upstream");
const maintenance = await startFakeService("upstream", keys, [implement(AttachmentService, attachments)]);
const gateway = await startGateway({
  keys,
  settings: { MAINTENANCE_ADDRESS: maintenance.address },
  implementations: [implement(AssetImageService, handlers)],
});
const token = gateway.accounts.session("admin");
afterAll(async () => {
  await gateway.stop();
  await maintenance.stop();
});

const url = () => `${gateway.url}/asset_manager_api/assets/${ID}/image`;
const headers = () => ({ authorization: `Bearer ${token}` });
const post = (body: FormData | string, more: Record<string, string> = {}) =>
  fetch(url(), { method: "POST", headers: { ...headers(), ...more }, body });
const file = (bytes: number) => new File([new Uint8Array(bytes)], "a.png");

type Problem = { code: string; errors: { field: string }[] };
const problemOf = async (answer: Response) => (await answer.json()) as Problem;

function form(...parts: [string, string | File][]): FormData {
  const made = new FormData();
  for (const [name, value] of parts) made.append(name, value);
  return made;
}

it("a file of 20 MiB arrives completely", async () => {
  const answer = await post(form(["file", file(20 * MIB)]));
  expect([answer.status, outcomes.at(-1)]).toEqual([200, 20 * MIB]);
  expect(await answer.json()).toMatchObject({ id: ID, rev: 2 });
});

it("a file of 20 MiB and one byte is 413, and the service never sees an end", async () => {
  ended = Promise.withResolvers();
  const answer = await post(form(["file", file(20 * MIB + 1)]));
  expect([answer.status, (await problemOf(answer)).code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  await ended.promise;
  expect(outcomes.at(-1)).toBe("broken");
});

it.each([
  ["no file", () => form(), "file"],
  ["a text as the file", () => form(["file", "text"]), "file"],
  ["another name", () => form(["image", file(3)]), "image"],
  ["an unknown field", () => form(["note", "x"], ["file", file(3)]), "note"],
  ["two files", () => form(["file", file(3)], ["file", file(3)]), "file"],
  ["a field after the file", () => form(["file", file(3)], ["note", "x"]), "note"],
])("a form with %s is 422 and names it", async (_what, made, name) => {
  const answer = await post(made());
  const { code, errors } = await problemOf(answer);
  expect([answer.status, code, errors[0]?.field]).toEqual([422, "VALIDATION_FAILED", name]);
});

it("another content type is 415, and a form that ends early is 400", async () => {
  const json = await post("{}", { "content-type": "application/json" });
  expect([json.status, (await problemOf(json)).code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  const start = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
  const early = await post(start, { "content-type": "multipart/form-data; boundary=b" });
  expect([early.status, (await problemOf(early)).code]).toEqual([400, "MALFORMED"]);
  expect(outcomes.at(-1)).toBe("broken");
});

it("a form whose file name is not UTF-8 is 400, and nothing is stored", async () => {
  const text =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="caf\xe9"\r\n\r\ncontent\r\n--b--\r\n';
  const answer = await fetch(url(), {
    method: "POST",
    headers: { ...headers(), "content-type": "multipart/form-data; boundary=b" },
    body: Buffer.from(text, "latin1"),
  });
  expect([answer.status, (await problemOf(answer)).code]).toEqual([400, "MALFORMED"]);
  expect(outcomes).not.toContain("content".length);
});

it("a socket that is destroyed in the middle of the file breaks off the upload at the service", async () => {
  ended = Promise.withResolvers();
  const { hostname, port, pathname } = new URL(url());
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
      "content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n" +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n',
  );
  socket.write(Buffer.alloc(200_000), () => socket.destroy());
  await ended.promise;
  expect(outcomes.at(-1)).toBe("broken");
});

it("an image has its own ETag and is revalidated", async () => {
  const read = await fetch(url(), { headers: headers() });
  expect(await read.text()).toBe("image");
  expect(Object.fromEntries(read.headers)).toMatchObject({
    etag: '"abc"',
    "cache-control": "private, no-cache",
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-length": "5",
  });
  const known = await fetch(url(), { headers: { ...headers(), "if-none-match": '"abc"' } });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  expect((await fetch(url(), { method: "DELETE", headers: headers() })).status).toBe(204);
});

it("the small image has an ETag and a type of its own, and another size is 422", async () => {
  const small = await fetch(`${url()}?size=small`, { headers: headers() });
  expect(await small.text()).toBe("small");
  expect(Object.fromEntries(small.headers)).toMatchObject({
    etag: '"def"',
    "cache-control": "private, no-cache",
    "content-type": "image/webp",
  });
  const ifNoneMatch = (tag: string) =>
    fetch(`${url()}?size=small`, { headers: { ...headers(), "if-none-match": tag } });
  expect([(await ifNoneMatch('"def"')).status, (await ifNoneMatch('"abc"')).status]).toEqual([304, 200]);
  const other = await fetch(`${url()}?size=large`, { headers: headers() });
  expect([other.status, (await problemOf(other)).errors[0]?.field]).toEqual([422, "size"]);
});

it("fields of a form may come after the file, as generated clients send them", async () => {
  const add = (...parts: [string, string | File][]) =>
    fetch(`${gateway.url}/asset_manager_api/assets/${ID}/attachments`, {
      method: "POST",
      headers: headers(),
      body: form(...parts),
    });
  const given: [string, string] = ["description", "By the maker"];
  for (const parts of [
    [given, ["file", file(3)]],
    [["file", file(3)], given],
  ] as [string, string | File][][]) {
    const added = await add(...parts);
    expect([added.status, await added.json()]).toMatchObject([201, { description: "By the maker" }]);
  }
  for (const [wrong, field] of [
    [["description", "x".repeat(5_001)], "description"],
    [["note", "x"], "note"],
  ] as [[string, string], string][]) {
    const refused = await add(["file", file(3)], wrong);
    const { code, errors } = await problemOf(refused);
    expect([refused.status, code, errors[0]?.field]).toEqual([422, "VALIDATION_FAILED", field]);
  }
  const twice = await add(given, ["file", file(3)], given);
  expect([twice.status, (await problemOf(twice)).errors[0]?.field]).toEqual([422, "description"]);
});

it("the name of a file may have any characters; in an answer it can't end the header or its quotes", async () => {
  const route = `${gateway.url}/asset_manager_api`;
  names.length = 0;
  const body = form(["file", new File(["%PDF"], '../../Prüf\u0001 "x".pdf')]);
  const added = await fetch(`${route}/assets/${ID}/attachments`, {
    method: "POST",
    headers: headers(),
    body,
  });
  expect(added.status).toBe(201);
  expect(names).toEqual([expect.stringContaining("Prüf")]);
  const read = await fetch(`${route}/attachments/${ATTACHMENT}`, { headers: headers() });
  expect([read.status, await read.text()]).toEqual([200, "%PDF"]);
  expect(read.headers.get("x-header")).toBeNull();
  const disposition = read.headers.get("content-disposition") ?? "";
  expect(disposition).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w.%~!$&+^`|-]*$/);
});
