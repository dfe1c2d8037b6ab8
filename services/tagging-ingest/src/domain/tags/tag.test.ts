import fc from "fast-check";
import { expect, test } from "vitest";
import { printedTag } from "./tag.ts";
import { lookupKeys, newLabelIdentity } from "./tag-identity.ts";

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const tag = (id: string, type: "qr" | "barcode" | "rfid" | "nfc", day: number) => ({
  ...{ id, type, boundAt: at(day) },
  ...(type === "rfid" ? { epc: "3034" } : { code: `code of ${id}` }),
});

test("the printed tag of an asset is its newest QR code or barcode; of the same moment, the one with the higher id", () => {
  const tags = [
    tag("tag_1", "qr", 1),
    tag("tag_2", "barcode", 2),
    tag("tag_3", "rfid", 3),
    tag("tag_4", "nfc", 4),
  ];
  expect(printedTag(tags)?.id).toBe("tag_2");
  expect(printedTag([tag("tag_2", "qr", 1), tag("tag_1", "qr", 1)])?.id).toBe("tag_2");
  expect(printedTag([tag("tag_3", "rfid", 3), tag("tag_4", "nfc", 4)])).toBeUndefined();
  expect(printedTag([])).toBeUndefined();
});

test("the printed tag does not depend on the order of the tags", () => {
  const type = fc.constantFrom("qr" as const, "barcode" as const, "rfid" as const, "nfc" as const);
  const some = fc.uniqueArray(fc.tuple(fc.nat(9), type, fc.integer({ min: 1, max: 3 })), {
    selector: ([id]) => id,
  });
  fc.assert(
    fc.property(some, (list) => {
      const tags = list.map(([id, kind, day]) => tag(`tag_${id}`, kind, day));
      expect(printedTag(tags.toReversed())).toEqual(printedTag(tags));
    }),
  );
});

test("the code of a new label means nothing but itself: neither an EPC nor the UID of an NFC tag", () => {
  for (let count = 0; count < 5_000; count += 1) {
    const { code, key, type } = newLabelIdentity();
    expect({ type, keys: lookupKeys(code) }).toEqual({ type: "qr", keys: [key] });
  }
});
