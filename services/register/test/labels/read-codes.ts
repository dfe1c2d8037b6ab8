import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const run = promisify(execFile);

/** A page in shades of grey, a byte a pixel. */
type Picture = { width: number; height: number; pixels: Uint8Array };

/** A part of a page in pixels. */
type Part = { x: number; y: number; width: number; height: number };

// By default the module would be fetched from the internet.
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** Draws the pages of a PDF with poppler, in order. */
export async function drawPages(pdftoppm: string, file: string, dpi: number): Promise<Picture[]> {
  const options = { encoding: "buffer", maxBuffer: 2 ** 30 } as const;
  const { stdout } = await run(pdftoppm, ["-gray", "-r", String(dpi), file], options);
  const pages: Picture[] = [];
  for (let at = 0; at < stdout.length; ) {
    const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.subarray(at, at + 40).toString("latin1"));
    if (header === null) throw new Error("not a picture of pdftoppm");
    const [width, height] = [Number(header[1]), Number(header[2])];
    const from = at + header[0].length;
    at = from + width * height;
    pages.push({ width, height, pixels: stdout.subarray(from, at) });
  }
  return pages;
}

/** The texts of the codes in a part of a picture. */
export async function readCodes(picture: Picture, part: Part): Promise<string[]> {
  const { width, height } = part;
  // A number for each pixel: its bytes are red, green, blue and an alpha of 255.
  const colours = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const grey = picture.pixels[(part.y + y) * picture.width + part.x + x] ?? 255;
      colours[y * width + x] = 0xff000000 + grey * 0x010101;
    }
  }
  const data = new Uint8ClampedArray(colours.buffer);
  return read({ width, height, data, colorSpace: "srgb" } as Parameters<typeof readBarcodes>[0]);
}

/** The texts of the codes in a PNG. */
export const readPicture = (png: Uint8Array): Promise<string[]> => read(png);

async function read(input: Parameters<typeof readBarcodes>[0]): Promise<string[]> {
  const found = await readBarcodes(input, {
    formats: ["QRCode", "DataMatrix", "Code128"],
    tryHarder: true,
    tryRotate: false,
    tryInvert: false,
    // At half the resolution, bars are read wrongly now and then.
    tryDownscale: false,
  });
  return found.map(({ text }) => text);
}
