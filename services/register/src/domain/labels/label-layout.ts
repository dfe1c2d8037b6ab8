import type { Size } from "@asset-register/proto/label-templates";
import type { LabelCode } from "./label-sheet.ts";
import { quietZones } from "./symbol.ts";

export type Box = Size & { x: number; y: number };

/** Where the parts of a label are, in millimetres from its upper left corner. */
export type LabelLayout = {
  /** The side of a module, or the width of the thinnest bar. */
  module: number;
  /** The code without its quiet zone. */
  code: Box;
  text: Box;
  /** The code as people read it. Absent for codes of squares. */
  caption?: Box | undefined;
};

/** A line of text in its box. */
export type Line = { x: number; y: number; size: number; width: number };

/** The limit of most scanners, and of printers with 203 dots per inch: two dots. */
export const LEAST_MODULE = 0.25;
/** Larger ones are read no better. */
const LARGEST_SQUARE = 0.75;
const LARGEST_BAR = 0.5;
/** The part of the label's width that a code of squares takes at most. */
const CODE_SHARE = 0.5;
const LARGEST_TEXT = 3.5;
/** Still read without a glass (5 points). On narrow labels, so that the number of an asset is not cut. */
const LEAST_TEXT = 1.7;
/** Characters that a line can have at least, before its text is smaller than LARGEST_TEXT. */
const CHARACTERS = 20;
/** The mean width of a character of the font, as a part of its size. */
const CHARACTER_WIDTH = 0.6;
const LINE_HEIGHT = 1.2;

/** Rounding errors of sizes that are multiples of dots. */
const EPSILON = 1e-9;

/**
 * Lays out a label. Undefined if the modules would be smaller than LEAST_MODULE.
 *
 * @param dot the size of a printer's dot in millimetres, of which a module is a multiple; undefined if any size can be
 *   printed
 */
export function layoutLabel(
  label: Size,
  code: LabelCode,
  symbol: { columns: number; rows: number },
  dot?: number,
): LabelLayout | undefined {
  const lay = code === "code128" ? bars : squares;
  return lay(label, code, symbol, (size) =>
    dot === undefined ? size : Math.floor(size / dot + EPSILON) * dot,
  );
}

type Lay = (
  label: Size,
  code: LabelCode,
  symbol: { columns: number; rows: number },
  rounded: (size: number) => number,
) => LabelLayout | undefined;

/** The space between text and the edge of the label. */
const paddingOf = ({ height }: Size): number => Math.min(1.5, height * 0.08);

/** The code is on the left, with its quiet zone to the edge, and the text beside it. */
const squares: Lay = (label, code, { columns, rows }, rounded) => {
  const quiet = quietZones[code];
  const side = Math.min(label.height, label.width * CODE_SHARE);
  const module = rounded(Math.min(side / (Math.max(columns, rows) + 2 * quiet), LARGEST_SQUARE));
  if (module < LEAST_MODULE - EPSILON) return undefined;
  const padding = paddingOf(label);
  const taken = (columns + 2 * quiet) * module;
  const height = rows * module;
  return {
    module,
    code: { x: quiet * module, y: (label.height - height) / 2, width: columns * module, height },
    text: {
      ...{ x: taken, y: padding },
      ...{ width: label.width - taken - padding, height: label.height - 2 * padding },
    },
  };
};

/** The code is below the text, over the width of the label. */
const bars: Lay = (label, code, { columns }, rounded) => {
  const quiet = quietZones[code];
  const module = rounded(Math.min(label.width / (columns + 2 * quiet), LARGEST_BAR));
  if (module < LEAST_MODULE - EPSILON) return undefined;
  const padding = paddingOf(label);
  const captionHeight = Math.min(3, label.height * 0.1);
  const height = Math.min(15, label.height * 0.35);
  const y = label.height - padding - captionHeight - height;
  const width = label.width - 2 * padding;
  return {
    module,
    code: { x: (label.width - columns * module) / 2, y, width: columns * module, height },
    text: { x: padding, y: padding, width, height: y - 2 * padding },
    caption: { x: padding, y: y + height, width, height: captionHeight },
  };
};

/** The lines of a box, from its top, with the largest text that all of them can have. */
export function linesIn({ x, y, width, height }: Box, count: number): Line[] {
  const readable = Math.max(LEAST_TEXT, width / (CHARACTERS * CHARACTER_WIDTH));
  const size = Math.min(LARGEST_TEXT, readable, height / (Math.max(count, 1) * LINE_HEIGHT));
  const top = y + (height - count * size * LINE_HEIGHT) / 2;
  return Array.from({ length: count }, (_, index) => ({
    ...{ x, width, size },
    y: top + index * size * LINE_HEIGHT,
  }));
}
