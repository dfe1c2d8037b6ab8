/** The sheets and rolls on which labels are printed, by their names in the API. */
export type LabelTemplate = "l7651" | "l7160" | "l4731" | "5160" | "5167" | "50x25" | "70x32" | "100x50";

/** In millimetres. */
export type Size = { width: number; height: number };

/** Where labels are on their medium, in millimetres. A roll has one label a page. */
export type Template = {
  page: Size;
  label: Size;
  columns: number;
  rows: number;
  /** Of the first label. */
  left: number;
  top: number;
  /** From the left or upper edge of a label to that of the next one. */
  pitch: Size;
  roll: boolean;
};

const A4: Size = { width: 210, height: 297 };
const LETTER: Size = { width: 215.9, height: 279.4 };
const INCH = 25.4;

const roll = (width: number, height: number): Template => ({
  page: { width, height },
  label: { width, height },
  ...{ columns: 1, rows: 1, left: 0, top: 0 },
  pitch: { width, height },
  roll: true,
});

/** The sizes are those that Avery prints on the boxes of its sheets; the labels of A4 are centred on the page. */
function centred(label: Size, columns: number, rows: number, gap: number): Template {
  const pitch = { width: label.width + gap, height: label.height };
  const left = (A4.width - columns * pitch.width + gap) / 2;
  return {
    page: A4,
    label,
    columns,
    rows,
    left,
    top: (A4.height - rows * pitch.height) / 2,
    pitch,
    roll: false,
  };
}

export const templates: Readonly<Record<LabelTemplate, Template>> = {
  l7651: centred({ width: 38.1, height: 21.2 }, 5, 13, 2.5),
  l7160: centred({ width: 63.5, height: 38.1 }, 3, 7, 2.5),
  l4731: centred({ width: 25.4, height: 10 }, 7, 27, 2.5),
  "5160": {
    page: LETTER,
    label: { width: 2.625 * INCH, height: INCH },
    ...{ columns: 3, rows: 10, left: 0.1875 * INCH, top: 0.5 * INCH },
    pitch: { width: 2.75 * INCH, height: INCH },
    roll: false,
  },
  "5167": {
    page: LETTER,
    label: { width: 1.75 * INCH, height: 0.5 * INCH },
    ...{ columns: 4, rows: 20, left: 0.3 * INCH, top: 0.5 * INCH },
    pitch: { width: 2.05 * INCH, height: 0.5 * INCH },
    roll: false,
  },
  "50x25": roll(50, 25),
  "70x32": roll(70, 32),
  "100x50": roll(100, 50),
};

/** Labels on one page. */
export const labelsOnPage = ({ columns, rows }: Template): number => columns * rows;

/** The page of a label and its upper left corner there. Labels follow each other from left to right, then down. */
export function placeOf(template: Template, position: number): { page: number; x: number; y: number } {
  const { columns, left, top, pitch } = template;
  const onPage = position % labelsOnPage(template);
  return {
    page: Math.floor(position / labelsOnPage(template)),
    x: left + (onPage % columns) * pitch.width,
    y: top + Math.floor(onPage / columns) * pitch.height,
  };
}
