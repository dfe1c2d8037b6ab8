import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findPdftoppm } from "@asset-register/harness";
import { type LabelTemplate, labelsOnPage, placeOf, templates } from "@asset-register/proto/label-templates";
import { isCheckedCode } from "@asset-register/runtime";
import { afterAll, describe, expect, test } from "vitest";
import type { Label, LabelCode } from "../../src/domain/labels/label-sheet.ts";
import { makeSymbol } from "../../src/domain/labels/symbol.ts";
import { writeLabels } from "../../src/operations/labels/write-labels.ts";
import { drawPages, readCodes, readPicture } from "./read-codes.ts";

const pdftoppm = await findPdftoppm();
const folder = mkdtempSync(path.join(tmpdir(), "labels-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PUBLIC_URL = "https://assets.example.com";
const CODES = 1_000;

const textOf = (kind: LabelCode, code: string): string =>
  kind === "code128" ? code : `${PUBLIC_URL}/t/${code}`;

async function* labelsOf(kind: LabelCode, codes: readonly string[]): AsyncGenerator<Label> {
  for (const [index, code] of codes.entries()) {
    yield {
      symbol: makeSymbol(kind, textOf(kind, code))!,
      lines: [
        `AST-${index}`,
        "Akku-Bohrschrauber, gelb / Αντλία / Лестница",
        "Müller & Söhne KG",
        "Return to us",
      ],
      caption: kind === "code128" ? code : undefined,
    };
  }
}

async function pdfOf(kind: LabelCode, template: LabelTemplate, codes: readonly string[], startAt = 1) {
  const options = { title: "Labels", createdAt: new Date(0), format: "pdf", dpi: 203 } as const;
  const file = path.join(folder, `${kind}-${template}.pdf`);
  const parts = writeLabels(labelsOf(kind, codes), { ...options, template, code: kind, startAt });
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  writeFileSync(file, Buffer.concat(chunks));
  return file;
}

/** The code that a scanner reads on each label, at its place. */
async function readBack(kind: LabelCode, template: LabelTemplate, codes: string[], dpi: number, startAt = 1) {
  const pages = await drawPages(pdftoppm!, await pdfOf(kind, template, codes, startAt), dpi);
  const { label } = templates[template];
  const pixels = (millimetres: number) => Math.floor((millimetres * dpi) / 25.4);
  const read: string[][] = [];
  for (const index of codes.keys()) {
    const { page, x, y } = placeOf(templates[template], index + startAt - 1);
    const part = { x: pixels(x), y: pixels(y), width: pixels(label.width), height: pixels(label.height) };
    read.push(await readCodes(pages[page]!, part));
  }
  return { pages: pages.length, read };
}

/** Codes that are the same in each run: whether a reader finds a code depends on its bars. */
function codesOf(count: number): string[] {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return Array.from({ length: count }, (_, index) => {
    const digest = createHash("sha256").update(String(index)).digest().subarray(0, 11);
    const text = [...digest].map((byte) => alphabet[byte % 32]).join("");
    return [...alphabet].map((check) => text + check).find((code) => isCheckedCode(code, 12)) ?? "";
  });
}

test.each(["qr", "datamatrix", "code128"] as const)("a %s in ZPL is read back on each roll", async (kind) => {
  // Another program that draws ZPL than the printers have.
  const { ready } = await import("zpl-renderer-js");
  const { api } = await ready;
  for (const template of ["50x25", "70x32", "100x50"] as const) {
    const { width, height } = templates[template].label;
    for (const [dpi, dotsPerMm] of [
      [203, 8],
      [300, 12],
    ] as const) {
      const codes = codesOf(2);
      const options = { title: "Labels", createdAt: new Date(0), format: "zpl", startAt: 1 } as const;
      let zpl = "";
      for await (const part of writeLabels(labelsOf(kind, codes), { ...options, template, code: kind, dpi }))
        zpl += Buffer.from(part).toString();
      const pictures = await api.zplToBase64MultipleAsync(zpl, width, height, dotsPerMm);
      const read = await Promise.all(pictures.map((picture) => readPicture(Buffer.from(picture, "base64"))));
      expect(read).toEqual(codes.map((code) => [textOf(kind, code)]));
    }
  }
});

describe.skipIf(pdftoppm === undefined)("a printed label", () => {
  test.each([
    ["qr", "l7651", 150],
    ["datamatrix", "l4731", 250],
    ["code128", "5160", 200],
  ] as const)(
    "1,000 codes of the kind %s on %s are read back, each on its own label",
    async (kind, template, dpi) => {
      const codes = codesOf(CODES);
      const { pages, read } = await readBack(kind, template, codes, dpi);
      expect(pages).toBe(Math.ceil(CODES / labelsOnPage(templates[template])));
      expect(read).toEqual(codes.map((code) => [textOf(kind, code)]));
    },
  );

  test.each(
    (Object.keys(templates) as LabelTemplate[]).flatMap((template) =>
      (["qr", "datamatrix", "code128"] as const).map((kind) => [kind, template] as const),
    ),
  )("a %s is read on %s, also on a sheet whose first labels are used", async (kind, template) => {
    const { roll, label } = templates[template];
    if (kind === "code128" && label.width < 47) return;
    const codes = codesOf(2);
    const { read } = await readBack(kind, template, codes, 300, roll ? 1 : labelsOnPage(templates[template]));
    expect(read).toEqual(codes.map((code) => [textOf(kind, code)]));
  });
});
