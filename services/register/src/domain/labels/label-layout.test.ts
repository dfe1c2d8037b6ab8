import { templates } from "@asset-register/proto/label-templates";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LEAST_MODULE, layoutLabel, linesIn } from "./label-layout.ts";
import type { LabelCode } from "./label-sheet.ts";
import { makeSymbol, quietZones } from "./symbol.ts";

const ADDRESS = "https://assets.example.com/t/7K3QW9RT2XNH";
const symbols: Record<LabelCode, { columns: number; rows: number }> = {
  qr: makeSymbol("qr", ADDRESS)!,
  datamatrix: makeSymbol("datamatrix", ADDRESS)!,
  code128: makeSymbol("code128", "7K3QW9RT2XNH")!,
};
const codes = Object.keys(symbols) as LabelCode[];

const fitting = (code: LabelCode) =>
  Object.entries(templates)
    .filter(([, { label }]) => layoutLabel(label, code, symbols[code]) !== undefined)
    .map(([name]) => name);

test("each template takes both codes of squares; the bars of a code need at least 47 mm", () => {
  expect(fitting("qr").toSorted()).toEqual(Object.keys(templates).toSorted());
  expect(fitting("datamatrix").toSorted()).toEqual(Object.keys(templates).toSorted());
  expect(fitting("code128").toSorted()).toEqual(["100x50", "50x25", "5160", "70x32", "l7160"]);
});

describe("a layout", () => {
  const sizes = fc.record({
    template: fc.constantFrom(...Object.values(templates)),
    code: fc.constantFrom(...codes),
    modules: fc.integer({ min: 10, max: 250 }),
    dot: fc.constantFrom(undefined, 25.4 / 203, 25.4 / 300),
    lines: fc.integer({ min: 0, max: 4 }),
  });

  test("keeps the quiet zone on the label, modules of at least 0.25 mm, and texts beside the code", () => {
    fc.assert(
      fc.property(sizes, ({ template: { label }, code, modules, dot, lines }) => {
        const symbol = { columns: modules, rows: code === "code128" ? 1 : modules };
        const layout = layoutLabel(label, code, symbol, dot);
        if (layout === undefined) return;
        const { module, code: box, text, caption } = layout;
        const quiet = quietZones[code] * module;
        const above = code === "code128" ? 0 : quiet;
        expect(module).toBeGreaterThanOrEqual(LEAST_MODULE - 1e-9);
        expect(box.x - quiet).toBeGreaterThanOrEqual(-1e-9);
        expect(box.x + box.width + quiet).toBeLessThanOrEqual(label.width + 1e-9);
        expect(box.y - above).toBeGreaterThanOrEqual(-1e-9);
        expect(box.y + box.height + above).toBeLessThanOrEqual(label.height + 1e-9);
        for (const one of [text, caption ?? text]) {
          expect(Math.min(one.width, one.height)).toBeGreaterThan(0);
          expect(one.x + one.width).toBeLessThanOrEqual(label.width);
          expect(one.y + one.height).toBeLessThanOrEqual(label.height + 1e-9);
          const isBeside = one.x >= box.x + box.width + quiet - 1e-9;
          const isAboveOrBelow = one.y + one.height <= box.y + 1e-9 || one.y >= box.y + box.height - 1e-9;
          expect(isBeside || isAboveOrBelow).toBe(true);
        }
        for (const { y, size } of linesIn(text, lines)) {
          expect(y).toBeGreaterThanOrEqual(text.y - 1e-9);
          expect(y + size).toBeLessThanOrEqual(text.y + text.height + 1e-9);
        }
      }),
    );
  });

  test("of a printer with dots has modules of whole dots", () => {
    const dot = 25.4 / 203;
    for (const { label } of Object.values(templates)) {
      const { module } = layoutLabel(label, "qr", symbols.qr, dot) ?? { module: 2 * dot };
      expect(Math.abs(module / dot - Math.round(module / dot))).toBeLessThan(1e-9);
    }
  });
});
