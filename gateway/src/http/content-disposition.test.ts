import fc from "fast-check";
import { expect, it } from "vitest";
import { attachmentNamed } from "./content-disposition.ts";

it.each([
  ["manual.pdf", `attachment; filename="manual.pdf"; filename*=UTF-8''manual.pdf`],
  ["Prüf (1)'.pdf", `attachment; filename="Pr_f (1)'.pdf"; filename*=UTF-8''Pr%C3%BCf%20%281%29%27.pdf`],
  ['a"\r\nX: y', `attachment; filename="a___X: y"; filename*=UTF-8''a%22%0D%0AX%3A%20y`],
])("%j is named %s", (name, header) => {
  expect(attachmentNamed(name)).toBe(header);
});

it("no name adds a parameter or a header, and each can be read back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const header = attachmentNamed(name);
      expect(header).toMatch(
        /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.~!%-]*$/,
      );
      expect(decodeURIComponent(header.split("UTF-8''").at(-1) ?? "")).toBe(name.toWellFormed());
    }),
  );
});
