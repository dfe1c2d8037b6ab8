import { expect, test } from "vitest";
import { decodeText, otherKindOf } from "./csv-text.ts";

const bytes = (...codes: number[]) => new Uint8Array(codes);

test("a file is UTF-8 if all of it is, UTF-16 by its mark, and else of Windows", () => {
  expect(decodeText(new TextEncoder().encode("\ufeffGerät"))).toEqual({ text: "Gerät", encoding: "utf-8" });
  expect(decodeText(bytes(0x47, 0xe4, 0x80))).toEqual({ text: "Gä€", encoding: "windows-1252" });
  expect(decodeText(bytes(0xff, 0xfe, 0x47, 0, 0xe4, 0))).toEqual({ text: "Gä", encoding: "utf-16le" });
  expect(decodeText(bytes(0xc6), "windows-1251").text).toBe("Ж");
});

test("a workbook is no text", () => {
  expect(otherKindOf(bytes(0x50, 0x4b, 3, 4, 9))).toBe("workbook");
  expect(otherKindOf(bytes(0x50))).toBeUndefined();
});
