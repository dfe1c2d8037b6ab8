import { eventually } from "@asset-register/harness";
import { AttachmentService } from "@asset-register/proto/assetregister/maintenance/v1/attachment_pb";
import { newId, requireFound } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { expect, test } from "vitest";
import { assetEvent, newWorkspace, sharedMaintenance } from "./support.ts";

const maintenance = await sharedMaintenance();
const { mongo, register, publish } = maintenance;
const attachments = maintenance.client(AttachmentService);

const workspace = await newWorkspace(maintenance);
const { id: workspaceId, editor, viewer } = workspace;
const newAsset = () => register.assets.add(workspaceId, newId("ast"));
const MIB = 1_048_576;

async function* pdf(bytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from("%PDF-1.7\n");
  for (let left = bytes - 9; left > 0; left -= MIB) yield Buffer.alloc(Math.min(left, MIB), 0);
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield* pdf(2 * MIB);
  throw new Error("the client has gone");
}
async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "latin1");
}

const add = async (assetId: string, name: string, content = pdf(100)) =>
  requireFound((await attachments.addAttachment({ assetId, name }, content, editor)).attachment);
const stored = async () => {
  const of = (name: string) => mongo.collection(name).countDocuments({ workspaceId });
  return { files: await of("files"), chunks: await of("chunks"), rows: await of("attachments") };
};

test("a file is added, listed, read and deleted with its content; nothing is left behind", async () => {
  const assetId = newAsset();
  const before = await stored();
  const made = await add(assetId, "../../Prüf\u0000 bericht.pdf", pdf(700_000));
  expect(made).toMatchObject({
    ...{ assetId, name: "Prüf bericht.pdf", contentType: "application/pdf", bytes: 700_000, rev: 1 },
    assetDisposed: false,
  });
  expect((await attachments.listAttachments({ assetId }, viewer)).attachments).toEqual([made]);
  const parts: Uint8Array[] = [];
  for await (const { part } of attachments.getAttachment({ id: made.id }, viewer)) {
    if (part.case === "attachment") expect(part.value).toEqual(made);
    if (part.case === "chunk") parts.push(part.value);
  }
  expect(Buffer.concat(parts).length).toBe(700_000);
  const remove = (ifRevIn: number[] = []) => attachments.deleteAttachment({ id: made.id, ifRevIn }, editor);
  expect(await codeOf(remove([2]))).toBe("PRECONDITION_FAILED");
  await remove([1]);
  expect(await codeOf(remove())).toBe("NOT_FOUND");
  expect(await stored()).toEqual(before);
});

test("a description that comes after the content is stored; an invalid one leaves nothing behind", async () => {
  const assetId = newAsset();
  const header = { assetId, name: "manual.pdf" };
  const content = (description: string) => Object.assign(pdf(100), { lastFields: () => ({ description }) });
  const { attachment } = await attachments.addAttachment(header, content("By the maker"), editor);
  expect(attachment).toMatchObject({ name: "manual.pdf", description: "By the maker" });
  const before = await stored();
  expect(await codeOf(attachments.addAttachment(header, content("x".repeat(5_001)), editor))).toBe(
    "VALIDATION_FAILED",
  );
  expect(await stored()).toEqual(before);
});

test("a wrong type, an oversized file and an upload that breaks off leave nothing behind", async () => {
  const assetId = newAsset();
  const before = await stored();
  const refusals = [
    ["UNSUPPORTED_MEDIA_TYPE", "page.pdf", bytes("<!doctype html><script>alert(1)</script>")],
    ["UNSUPPORTED_MEDIA_TYPE", "image.png", bytes("<svg onload=alert(1)>")],
    ["UNSUPPORTED_MEDIA_TYPE", "manual.pdf", bytes("MZ\x90\x00")],
    ["UNSUPPORTED_MEDIA_TYPE", "evil.hta", bytes("%PDF-1.7<script>alert(1)</script>")],
    ["UNSUPPORTED_MEDIA_TYPE", "evil.hta. ", bytes("%PDF-1.7<script>alert(1)</script>")],
    ["UNSUPPORTED_MEDIA_TYPE", "evil.reg", bytes("Windows Registry Editor Version 5.00\r\n")],
    ["UNSUPPORTED_MEDIA_TYPE", "evil.url", bytes("[InternetShortcut]\r\nURL=file:///c:/x.exe\r\n")],
    ["UNSUPPORTED_MEDIA_TYPE", "empty.txt", bytes("")],
    ["UNSUPPORTED_MEDIA_TYPE", "archive.zip", bytes("PK\x03\x04broken")],
    ["PAYLOAD_TOO_LARGE", "large.pdf", pdf(20 * MIB + 1)],
  ] as const;
  for (const [code, name, content] of refusals) {
    const call = attachments.addAttachment({ assetId, name }, content, { ...editor, deadlineMs: 120_000 });
    expect(await codeOf(call), name).toBe(code);
  }
  expect(await codeOf(attachments.addAttachment({ assetId, name: "x.pdf" }, broken(), editor))).toBeDefined();
  await eventually(async () => expect(await stored()).toEqual(before));
});

test("a disposed asset still takes attachments, a deleted one none; its own stay readable", async () => {
  const assetId = newAsset();
  const { id } = await add(assetId, "one.pdf");
  const list = async () => (await attachments.listAttachments({ assetId }, viewer)).attachments;
  await publish(assetEvent(workspaceId, assetId, 2, { disposed: true }));
  await eventually(async () => expect((await list())[0]?.assetDisposed).toBe(true));
  expect((await add(assetId, "two.pdf")).assetDisposed).toBe(true);
  await publish(assetEvent(workspaceId, assetId, 3, { deleted: true }));
  await eventually(async () => expect(await codeOf(add(assetId, "three.pdf"))).toBe("NOT_FOUND"));
  expect(await list()).toHaveLength(2);
  const stranger = await newWorkspace(maintenance);
  const read = attachments.getAttachment({ id }, stranger.viewer)[Symbol.asyncIterator]();
  const calls = [
    read.next(),
    attachments.deleteAttachment({ id }, stranger.editor),
    attachments.listAttachments({ assetId }, stranger.viewer),
    attachments.addAttachment({ assetId, name: "x.pdf" }, pdf(10), stranger.editor),
  ];
  expect(await Promise.all(calls.map(codeOf))).toEqual(Array(4).fill("NOT_FOUND"));
});

test("two uploads at once where one is left: an asset has at most 500 attachments", async () => {
  const assetId = newAsset();
  await add(assetId, "one.pdf");
  const row = { workspaceId, assetId, name: "x", contentType: "text/plain", bytes: 1, sha256: "", rev: 1 };
  const rows = Array.from({ length: 498 }, () => ({ ...row, _id: newId("att"), blobId: newId("blb") }));
  await mongo.collection("attachments").insertMany(rows);
  const codes = await Promise.all([codeOf(add(assetId, "a.pdf")), codeOf(add(assetId, "b.pdf"))]);
  expect(codes.toSorted()).toEqual(["VALIDATION_FAILED", undefined]);
  expect(await mongo.collection("attachments").countDocuments({ workspaceId, assetId })).toBe(500);
});
