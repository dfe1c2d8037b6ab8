import { expect, test } from "vitest";
import { MAX_NONCES, NONCE_LIFE_MS, withNonce } from "./sync.ts";

const AT = new Date("2026-01-01T00:00:00Z");
const later = (ms: number) => new Date(AT.getTime() + ms);

test("a nonce is refused while its signature could be valid, and forgotten afterwards", () => {
  const used = withNonce([], "n-1", AT);
  expect(used).toEqual([{ nonce: "n-1", at: AT }]);
  if (typeof used === "string") return;
  expect(withNonce(used, "n-1", later(NONCE_LIFE_MS))).toBe("reused");
  const after = withNonce(used, "n-2", later(NONCE_LIFE_MS + 1));
  expect(after).toEqual([{ nonce: "n-2", at: later(NONCE_LIFE_MS + 1) }]);
});

test("further syncs are refused rather than that a nonce is forgotten too early", () => {
  const used = Array.from({ length: MAX_NONCES }, (_, index) => ({ nonce: `n-${index}`, at: AT }));
  expect(withNonce(used, "more", later(NONCE_LIFE_MS))).toBe("too_many");
  expect(withNonce(used, "more", later(NONCE_LIFE_MS + 1))).toHaveLength(1);
});
