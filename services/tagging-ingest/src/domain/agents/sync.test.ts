import { expect, test } from "vitest";
import { isInWindow, MAX_NONCES, NONCE_LIFE_MS, syncText, withNonce } from "./sync.ts";

const AT = new Date("2026-01-01T00:00:00Z");
const SECONDS = AT.getTime() / 1000;
const later = (ms: number) => new Date(AT.getTime() + ms);

test("the signed text names the route, the agent, the time, the nonce and the hash of the body", () => {
  expect(syncText("agt_1", "1767225600", "n-1", "ab")).toBe(
    "v1\nPOST\n/asset_manager_api/agents/sync\nagt_1\n1767225600\nn-1\nab",
  );
});

test("a signed time is accepted up to 300 s before and after the server's", () => {
  for (const by of [-300, 0, 300]) expect(isInWindow(String(SECONDS + by), AT)).toBe(true);
  for (const by of [-301, 301]) expect(isInWindow(String(SECONDS + by), AT)).toBe(false);
  for (const text of ["", "1.5", "-1", "1e9", "999999999999"]) expect(isInWindow(text, AT)).toBe(false);
});

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
