import { templates } from "@asset-register/proto/label-templates";
import { layoutLabel, linesIn } from "./label-layout.ts";
import type { Dpi, Label, LabelOptions, LabelSymbol } from "./label-sheet.ts";
import { runsOf } from "./symbol.ts";

/** Dots of a millimetre, as printers name them: 203 and 300 dpi are rounded. */
const dotsPerMm: Record<Dpi, number> = { 203: 8, 300: 12 };

/** The side of a printer's dot in millimetres. */
export const dotOf = (dpi: Dpi): number => 1 / dotsPerMm[dpi];

/** The Unicode font of Zebra's printers, with Latin, Greek and Cyrillic. Narrower than the font of PDF. */
const FONT = "E:TT0003M_.FNT";

/**
 * A label in ZPL II for a roll. The code is a graphic, so that it is the same as in PDF on each printer.
 *
 * @param cut the text as it fits into a width, both in millimetres
 */
export function labelZpl(
  { symbol, lines, caption }: Label,
  { template, code, dpi }: Pick<LabelOptions, "template" | "code" | "dpi">,
  cut: (text: string, size: number, width: number) => string,
): string {
  const { label } = templates[template];
  const dot = dotOf(dpi);
  const dots = (millimetres: number): number => Math.round(millimetres / dot);
  const layout = layoutLabel(label, code, symbol, dot);
  if (layout === undefined) throw new Error("the code does not fit on the label");

  const line = (
    text: string,
    { x, y, size, width }: { x: number; y: number; size: number; width: number },
  ) => {
    const shown = cut(text, size, width);
    return shown === ""
      ? ""
      : `^FO${dots(x)},${dots(y)}^A@N,${dots(size)},0,${FONT}^FH^FD${escaped(shown)}^FS\n`;
  };
  const placed = linesIn(layout.text, lines.length);
  const texts = placed.map((place, index) => line(lines[index] ?? "", place));
  const [below] = layout.caption === undefined ? [] : linesIn(layout.caption, 1);
  if (below !== undefined && caption !== undefined) texts.push(line(caption, below));
  const { x, y } = layout.code;
  const scale = Math.round(layout.module / dot);
  const graphic = graphicOf(symbol, scale, code === "code128" ? dots(layout.code.height) : scale);
  return [
    `^XA^CI28^PW${dots(label.width)}^LL${dots(label.height)}^LH0,0\n`,
    `^FO${dots(x)},${dots(y)}${graphic}^FS\n`,
    ...texts,
    "^XZ\n",
  ].join("");
}

/** The code as a graphic field: hexadecimal rows, in which a colon repeats the row above. */
function graphicOf(symbol: LabelSymbol, scaleX: number, scaleY: number): string {
  const { columns, rows } = symbol;
  const rowBytes = Math.ceil((columns * scaleX) / 8);
  const bytes = Array.from({ length: rows }, () => Buffer.alloc(rowBytes));
  for (const { x, y, length } of runsOf(symbol)) {
    const row = bytes[y];
    for (let at = x * scaleX; at < (x + length) * scaleX; at += 1)
      row?.writeUInt8(row.readUInt8(at >> 3) | (0x80 >> (at & 7)), at >> 3);
  }
  const data = bytes.map((row) => row.toString("hex").toUpperCase() + ":".repeat(scaleY - 1)).join("");
  const total = rowBytes * rows * scaleY;
  return `^GFA,${total},${total},${rowBytes},${data}`;
}

/** The characters that begin a command, and the one that begins a hexadecimal byte. */
const escaped = (text: string): string =>
  text.replace(/[\^~_\\]/g, (one) => `_${one.charCodeAt(0).toString(16).toUpperCase()}`);
