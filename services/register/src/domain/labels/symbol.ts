import bwip from "bwip-js";
import type { LabelCode, LabelSymbol } from "./label-sheet.ts";

/** The space around a code that has to stay blank, in modules (ISO/IEC 18004, 16022, 15417). */
export const quietZones = { qr: 4, datamatrix: 1, code128: 10 } as const satisfies Record<LabelCode, number>;

/** What Code 128 can hold without a change of its character set. */
const ASCII = /^[\x20-\x7e]+$/;

/** Undefined for a text that the code cannot hold. */
export function makeSymbol(code: LabelCode, text: string): LabelSymbol | undefined {
  if (code === "code128" && !ASCII.test(text)) return undefined;
  const drawn = draw(code, text);
  if (drawn === undefined) return undefined;
  const { columns, dark } = drawn;
  const bytes = Buffer.alloc(Math.ceil(dark.length / 8));
  for (const [index, one] of dark.entries())
    if (one) bytes.writeUInt8(bytes.readUInt8(index >> 3) | (0x80 >> (index & 7)), index >> 3);
  return { columns, rows: dark.length / columns, modules: bytes.toString("base64") };
}

type Drawn = { columns: number; dark: boolean[] };

function draw(code: LabelCode, text: string): Drawn | undefined {
  const kinds = {
    // Level M restores 15% of the code: a scratch across a label.
    qr: { bcid: "qrcode", text, eclevel: "M" },
    datamatrix: { bcid: "datamatrix", text },
    code128: { bcid: "code128", text },
  };
  try {
    const [drawn] = bwip.raw(kinds[code]);
    if (drawn === undefined) return undefined;
    if ("sbs" in drawn) {
      // The widths of bars and spaces, beginning with a bar.
      const dark = [...drawn.sbs].flatMap((width, index) => Array<boolean>(width).fill(index % 2 === 0));
      return { columns: dark.length, dark };
    }
    return { columns: drawn.pixx, dark: [...drawn.pixs].map((pixel) => pixel === 1) };
  } catch {
    // The library throws texts for what a code cannot hold.
    return undefined;
  }
}

/** Dark modules that follow each other in a row. */
export type Run = { x: number; y: number; length: number };

/** The dark parts of a code. */
export function* runsOf({ columns, rows, modules }: LabelSymbol): Generator<Run> {
  const bytes = Buffer.from(modules, "base64");
  const isDark = (x: number, y: number): boolean => {
    const index = y * columns + x;
    return x < columns && (bytes.readUInt8(index >> 3) & (0x80 >> (index & 7))) !== 0;
  };
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (!isDark(x, y)) continue;
      const from = x;
      while (isDark(x, y)) x += 1;
      yield { x: from, y, length: x - from };
    }
  }
}
