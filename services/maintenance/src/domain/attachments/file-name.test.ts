import fc from "fast-check";
import { expect, it } from "vitest";
import { safeFileName } from "./file-name.ts";

it.each([
  ["manual.pdf", "manual.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Windows\\system32\\evil.dll", "evil.dll"],
  ["a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie_ x=1.pdf"],
  ["photo\u202Egpj.exe", "photogpj.exe"],
  ["\u0000null.pdf", "null.pdf"],
  ['say "hi"?.txt', "say _hi__.txt"],
  ["  ...  ", "file"],
  ["..", "file"],
  ["", "file"],
  ["NUL.txt", "_NUL.txt"],
  ["Prüfprotokoll 2026.pdf", "Prüfprotokoll 2026.pdf"],
  [`${"x".repeat(300)}.pdf`, `${"x".repeat(196)}.pdf`],
])("%j is stored as %j", (given, stored) => {
  expect(safeFileName(given)).toBe(stored);
});

it("no name is empty, too long, hidden, or leads to another folder", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
      const name = safeFileName(given);
      expect(Array.from(name).length).toBeLessThanOrEqual(201);
      expect(name).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u);
    }),
  );
});
