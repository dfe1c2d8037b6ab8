import { expect, test } from "vitest";
import { takesWriteOff } from "./write-off.ts";

const lost = { asset: { id: "ast_1", rev: 3, statusKey: "lost" }, disposals: [] };
const state = { id: "ast_1", workspaceId: "wsp_1", currency: "EUR", nbv: 1, accumulated: 0, rev: 1 };
const disposal = { date: "2026-01-31", method: "lost", proceeds: 0 } as const;

test.each([
  ["the event of the write-off has not arrived", { ...lost, asset: { ...lost.asset, rev: 2 } }, true],
  ["the asset is at the rev of the write-off", lost, true],
  ["changed since, and still lost", { ...lost, asset: { ...lost.asset, rev: 5 } }, true],
  ["found since", { ...lost, asset: { ...lost.asset, rev: 5, statusKey: "in_stock" } }, false],
  ["marked already", { ...lost, state: { ...state, writeOff: { assetRev: 3 } } }, false],
  ["marked by an earlier one", { ...lost, state: { ...state, writeOff: { assetRev: 2 } } }, true],
  ["disposed of", { ...lost, asset: { ...lost.asset, disposal } }, false],
  ["a disposal is pending", { ...lost, disposals: [{}] }, false],
  ["deleted", { ...lost, asset: { ...lost.asset, deletedAt: new Date() } }, false],
])("a write-off at rev 3: %s: %#", (_, known, takes) => {
  expect(takesWriteOff(known, 3)).toBe(takes);
});
