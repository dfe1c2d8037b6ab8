import { expect, it } from "vitest";
import { imageTypeOf } from "./image-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

it.each([
  ["image/png", "\x89PNG\r\n\x1a\nrest"],
  ["image/jpeg", "\xff\xd8\xff\xe0rest"],
  ["image/webp", "RIFF\x10\x00\x00\x00WEBPVP8 "],
])("%s is known by its first bytes", (type, content) => {
  expect(imageTypeOf(bytes(content))).toBe(type);
});

it.each(["", "\x89PNG", "GIF89a", "RIFF\x10\x00\x00\x00WAVE", "<svg xmlns=", "%PDF-1.7", "xRIFF"])(
  "content that begins with %j is no image",
  (content) => {
    expect(imageTypeOf(bytes(content))).toBeUndefined();
  },
);
