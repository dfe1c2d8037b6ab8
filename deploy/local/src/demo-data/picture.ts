import sharp from "sharp";

const SIZE = 320;

/** A picture of an asset as WebP: the shape of its kind on a colour of its own. */
export function drawPicture(shape: string, hue: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">
    <defs><linearGradient id="g" x2="1" y2="1">
      <stop stop-color="hsl(${hue} 45% 88%)"/><stop offset="1" stop-color="hsl(${(hue + 40) % 360} 40% 74%)"/>
    </linearGradient></defs>
    <rect width="${SIZE}" height="${SIZE}" fill="url(#g)"/>
    <g fill="none" stroke="hsl(${hue} 45% 26%)" stroke-width="11" stroke-linejoin="round" stroke-linecap="round">${shape}</g>
  </svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: 80 }).toBuffer();
}
