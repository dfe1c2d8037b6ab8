import { createRequire } from "node:module";
import type PDFDocument from "pdfkit";
import { cutText } from "../../domain/labels/cut-text.ts";

/** DejaVu Sans: a free font with Latin, Greek and Cyrillic. It is embedded with the characters that are used. */
const require = createRequire(import.meta.url);
const fonts = {
  regular: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
};

export type Font = keyof typeof fonts;

export const POINTS_PER_MM = 72 / 25.4;

/** Gives a document the fonts of labels. */
export function registerFonts(document: typeof PDFDocument.prototype): void {
  for (const [name, file] of Object.entries(fonts)) document.registerFont(name, file);
}

/** Cuts texts to a width. Size and width are in millimetres. */
export const createTextCutter =
  (document: typeof PDFDocument.prototype) =>
  (text: string, font: Font, size: number, width: number): string => {
    document.font(font).fontSize(size * POINTS_PER_MM);
    return cutText(text, (one) => document.widthOfString(one) <= width * POINTS_PER_MM);
  };
