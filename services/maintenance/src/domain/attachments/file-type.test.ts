import fc from "fast-check";
import { expect, it } from "vitest";
import { zipOf } from "../../../test/zip-of.ts";
import { createFileTypeReader } from "./file-type.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const typeOf = (name: string, ...chunks: Uint8Array[]) => {
  const reader = createFileTypeReader(name);
  for (const chunk of chunks) reader.add(chunk);
  return reader.type();
};
const office = "application/vnd.openxmlformats-officedocument";
const odt = "application/vnd.oasis.opendocument.text";

it.each([
  ["application/pdf", "x", latin1("%PDF-1.7\x00")],
  ["image/png", "page.PNG", latin1("\x89PNG\r\n\x1a\n\x00")],
  ["image/jpeg", "x.exe.jpeg", latin1("\xff\xd8\xff\xe0\x00")],
  ["image/webp", "x", latin1("RIFF\x10\x00\x00\x00WEBPVP8 ")],
  ["application/zip", "x.zip", zipOf({ "a.txt": "x" })],
  [
    `${office}.wordprocessingml.document`,
    "x.docx",
    zipOf({ "[Content_Types].xml": "", "word/document.xml": "" }),
  ],
  [`${office}.spreadsheetml.sheet`, "x", zipOf({ "[Content_Types].xml": "", "xl/workbook.xml": "" })],
  [
    `${office}.presentationml.presentation`,
    "x",
    zipOf({ "[Content_Types].xml": "", "ppt/presentation.xml": "" }),
  ],
  [odt, "x", zipOf({ mimetype: odt, "content.xml": "" })],
  ["application/msword", "old.DOC", latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00")],
  ["text/plain", "notes.txt", Buffer.from("Prüfung: 3 < 4\r\n")],
  ["text/plain", "latin.txt", latin1("Pr\xfcfung")],
  ["text/csv", "rows.csv", latin1("a;b\r\n1;2\r\n")],
] as const)(
  "%s is known by its content, and its name %s may have no extension or one of this type",
  (type, name, content) => {
    expect(typeOf(name, content)).toBe(type);
  },
);

it.each([
  ["HTML", "x.txt", latin1(" \n<!DOCTYPE html><script>")],
  ["HTML after a mark", "x.txt", latin1("\xef\xbb\xbf<html>")],
  ["SVG", "x.png", latin1('<svg xmlns="x">')],
  ["XML", "x.txt", latin1('<?xml version="1.0"?><svg/>')],
  ["a shell script", "run", latin1("#!/bin/sh\nrm -rf /")],
  ["a batch file", "x.txt", latin1("@echo off\r\n")],
  ["JavaScript by its name", "x.js", latin1("alert(1)")],
  ["a Windows program", "x.pdf", latin1("MZ\x90\x00\x03")],
  ["a Linux program", "x", latin1("\x7fELF\x02\x01")],
  ["an installer", "x.msi", latin1("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00")],
  ["a Java program", "x.zip", zipOf({ "META-INF/MANIFEST.MF": "", "A.class": "" })],
  ["an Android program", "x.zip", zipOf({ "AndroidManifest.xml": "", "classes.dex": "" })],
  ["a broken zip", "x.zip", latin1("PK\x03\x04\x00\x00")],
  ["sound in the container of WebP", "x.webp", latin1("XXXX\x10\x00\x00\x00WEBP")],
  ["a PDF that runs by its name", "evil.hta", latin1("%PDF-1.7\r\n<script>alert(1)</script>")],
  ["an image that runs by its name", "x.png.exe", latin1("\x89PNG\r\n\x1a\n\x00")],
  ["a zip that is a program by its name", "x.jar", zipOf({ "A.class": "" })],
  ["a zip with the name of a document", "x.docx", zipOf({ "a.txt": "x" })],
  ...["exe", "reg", "url", "ps1", "scr", "lnk", "desktop", "inf", "vbe", "HTA", "py", "hta "].map(
    (extension) =>
      [`a text with the extension ${extension}`, `evil.${extension}`, latin1("x=1\r\n")] as const,
  ),
  ["GIF", "x.gif", latin1("GIF89a\x01\x00")],
] as const)("%s is refused", (_what, name, content) => {
  expect(typeOf(name, content)).toBeUndefined();
});

it("no bytes at all are refused; a text with binary content behind its first chunk too", () => {
  expect(typeOf("x.txt")).toBeUndefined();
  expect(typeOf("x.txt", latin1("a".repeat(65_536)), latin1("\x00"))).toBeUndefined();
});

it("a zip is known in whatever chunks it comes, and damaged ones never fail", () => {
  const zip = zipOf({ "[Content_Types].xml": "<x/>", "word/document.xml": "<y/>" });
  fc.assert(
    fc.property(
      fc.integer({ min: 34, max: zip.length }),
      fc.nat(zip.length - 1),
      fc.nat(255),
      (cut, at, byte) => {
        expect(typeOf("x", zip.subarray(0, cut), zip.subarray(cut))).toContain("wordprocessingml");
        const damaged = Buffer.from(zip);
        damaged[at] = byte;
        expect(() => typeOf("x", damaged)).not.toThrow();
      },
    ),
  );
});
