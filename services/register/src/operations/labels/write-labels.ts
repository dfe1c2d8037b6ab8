import { placeOf, templates } from "@asset-register/proto/label-templates";
import PDFDocument from "pdfkit";
import { type Line, layoutLabel, linesIn } from "../../domain/labels/label-layout.ts";
import type { Label, LabelOptions } from "../../domain/labels/label-sheet.ts";
import { labelZpl } from "../../domain/labels/label-zpl.ts";
import { runsOf } from "../../domain/labels/symbol.ts";
import { createTextCutter, type Font, POINTS_PER_MM, registerFonts } from "./text-cutter.ts";

/** How a file is made. */
export type FileOptions = Pick<LabelOptions, "format" | "template" | "code" | "startAt" | "dpi"> & {
  title: string;
  createdAt: Date;
};

/** Labels as a file of their format, part by part. */
export const writeLabels = (
  labels: AsyncIterable<Label>,
  options: FileOptions,
): AsyncGenerator<Uint8Array> =>
  options.format === "pdf" ? writePdf(labels, options) : writeZpl(labels, options);

async function* writeZpl(labels: AsyncIterable<Label>, options: FileOptions): AsyncGenerator<Uint8Array> {
  // Only measures texts.
  const document = new PDFDocument({ autoFirstPage: false });
  registerFonts(document);
  const cutter = createTextCutter(document);
  const cut = (text: string, size: number, width: number) => cutter(text, "regular", size, width);
  for await (const label of labels) yield Buffer.from(labelZpl(label, options, cut));
}

async function* writePdf(
  labels: AsyncIterable<Label>,
  { template: name, code, startAt, title, createdAt }: FileOptions,
): AsyncGenerator<Uint8Array> {
  const template = templates[name];
  const { page, label: size } = template;
  const pageSize: [number, number] = [page.width * POINTS_PER_MM, page.height * POINTS_PER_MM];
  const info = { Title: title, Creator: "Asset Register", CreationDate: createdAt };
  const document = new PDFDocument({ autoFirstPage: false, size: pageSize, margin: 0, info });
  registerFonts(document);
  const cut = createTextCutter(document);

  const write = (text: string, font: Font, { x, y, size: height, width }: Line): void => {
    const shown = cut(text, font, height, width);
    if (shown !== "") document.text(shown, x * POINTS_PER_MM, y * POINTS_PER_MM, { lineBreak: false });
  };
  const draw = ({ symbol, lines, caption }: Label, x: number, y: number): void => {
    const layout = layoutLabel(size, code, symbol);
    if (layout === undefined) throw new Error("the code does not fit on the label");
    const at = (line: Line): Line => ({ ...line, x: line.x + x, y: line.y + y });
    const height = code === "code128" ? layout.code.height / layout.module : 1;
    document.save();
    document.translate((x + layout.code.x) * POINTS_PER_MM, (y + layout.code.y) * POINTS_PER_MM);
    document.scale(layout.module * POINTS_PER_MM);
    for (const run of runsOf(symbol)) document.rect(run.x, run.y, run.length, height);
    document.fill("black");
    document.restore();
    for (const [index, line] of linesIn(layout.text, lines.length).entries())
      write(lines[index] ?? "", index === 0 ? "bold" : "regular", at(line));
    const [below] = layout.caption === undefined ? [] : linesIn(layout.caption, 1);
    if (below !== undefined && caption !== undefined) write(caption, "regular", at(below));
  };

  let position = startAt - 1;
  let pages = 0;
  for await (const label of labels) {
    const place = placeOf(template, position);
    if (pages <= place.page) {
      document.addPage();
      pages = place.page + 1;
    }
    draw(label, place.x, place.y);
    position += 1;
    const ready: unknown = document.read();
    if (ready instanceof Uint8Array) yield ready;
  }
  document.end();
  for await (const rest of document) if (rest instanceof Uint8Array) yield rest;
}
