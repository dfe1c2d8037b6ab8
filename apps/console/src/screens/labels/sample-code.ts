import type { LabelValues } from "./label-values.ts";

/** A drawing that looks like a code. It holds nothing: the real one is made when the labels are. */
export type SampleCode = { columns: number; rows: number; quiet: number; path: string };

/** The sizes of the codes of an address, and of 12 characters as bars. */
const sizes = {
  qr: { columns: 29, rows: 29, quiet: 4 },
  datamatrix: { columns: 24, rows: 24, quiet: 1 },
  code128: { columns: 167, rows: 1, quiet: 10 },
} as const satisfies Record<LabelValues["code"], object>;

const FINDER = 7;

/** Whether a module of a QR code belongs to the square at a corner, and is dark; undefined elsewhere. */
function finder(x: number, y: number, size: number): boolean | undefined {
  const [left, top] = [x < size / 2 ? x : size - 1 - x, y < size / 2 ? y : size - 1 - y];
  const isCorner = left <= FINDER && top <= FINDER && !(x > size / 2 && y > size / 2);
  if (!isCorner) return undefined;
  const ring = Math.max(Math.abs(left - 3), Math.abs(top - 3));
  return ring !== 2 && ring <= 3;
}

/** Whether a module belongs to the frame of a Data Matrix code, and is dark; undefined elsewhere. */
function frame(x: number, y: number, size: number): boolean | undefined {
  if (x === 0 || y === size - 1) return true;
  if (y === 0) return x % 2 === 0;
  return x === size - 1 ? y % 2 === 1 : undefined;
}

export function sampleCode(code: LabelValues["code"]): SampleCode {
  const { columns, rows, quiet } = sizes[code];
  let seed = 7;
  // The same picture each time.
  const random = (): boolean => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed > 1_073_741_824;
  };
  const fixed = { qr: finder, datamatrix: frame, code128: (x: number) => (x < 2 ? true : undefined) }[code];
  let path = "";
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const isDark = random();
      if (fixed(x, y, columns) ?? isDark) path += `M${x} ${y}h1v1h-1z`;
    }
  return { columns, rows, quiet, path };
}
