import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createApi, type Demo } from "@asset-register/harness/client";

const run = promisify(execFile);

const WIDTH = 640;
const HEIGHT = 480;
const WHITE = 255;
/** Pixels an inch: a label 50 mm wide fits into the picture. */
const RESOLUTION = "220";

const directory = mkdtempSync(path.join(tmpdir(), "asset-register-camera-"));
const film = path.join(directory, "camera.y4m");

/** A film of one grey frame, which the browser repeats. */
function filmOf(grey: Buffer): Buffer {
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n`);
  return Buffer.concat([head, grey, colours]);
}

process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
writeFileSync(film, filmOf(Buffer.alloc(WIDTH * HEIGHT, WHITE)));

/** A camera that films a file. The browser opens it whenever a page starts the camera. */
export const cameraArguments = [
  "--use-fake-device-for-media-stream",
  `--use-file-for-fake-video-capture=${film}`,
];

/** Holds the first page of a label sheet, which is a PDF, before the camera. */
export async function showToCamera(demo: Demo, sheetId: string, pdftoppm: string): Promise<void> {
  const file = path.join(directory, "label.pdf");
  await writeFile(file, await download(demo, `/labels/${sheetId}/file`));
  await run(pdftoppm, ["-gray", "-r", RESOLUTION, "-singlefile", file, path.join(directory, "label")]);
  const picture = readGrey(await readFile(path.join(directory, "label.pgm")));
  const frame = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  const left = Math.max(0, (WIDTH - picture.width) >> 1);
  const top = Math.max(0, (HEIGHT - picture.height) >> 1);
  for (let y = 0; y < Math.min(picture.height, HEIGHT); y += 1) {
    const row = picture.pixels.subarray(
      y * picture.width,
      y * picture.width + Math.min(picture.width, WIDTH),
    );
    row.copy(frame, (top + y) * WIDTH + left);
  }
  await writeFile(film, filmOf(frame));
}

async function download({ base_url, email, password }: Demo, url: string): Promise<Buffer> {
  const base = `${base_url}/asset_manager_api`;
  const { access_token } = await createApi(base).post<{ access_token: string }>("/login", {
    email,
    password,
  });
  const answer = await fetch(base + url, { headers: { authorization: `Bearer ${access_token}` } });
  if (!answer.ok) throw new Error(`GET ${url} returned ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Reads a PGM: "P5", width, height, 255, then a byte a pixel. */
function readGrey(file: Buffer): { width: number; height: number; pixels: Buffer } {
  const found = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString("latin1", 0, 64));
  if (found === null) throw new Error("pdftoppm made no picture of grey pixels");
  return { width: Number(found[1]), height: Number(found[2]), pixels: file.subarray(found[0].length) };
}
