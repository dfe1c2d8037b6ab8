import { expect, test } from "vitest";
import { emptyWedge, pressed, type Wedge } from "./wedge.ts";

function type(keys: readonly string[], gap: number): string | undefined {
  let wedge: Wedge & { code?: string } = emptyWedge;
  for (const [index, key] of keys.entries()) wedge = pressed(wedge, key, 1_000 + index * gap);
  return wedge.code;
}

test("a scanner that acts as a keyboard is recognised by its speed", () => {
  expect(type([..."LBL-7", "Enter"], 10)).toBe("LBL-7");
  expect(type(["Shift", "L", "Shift", "B", "L", "7", "Enter"], 10)).toBe("LBL7");
  expect(type([..."LBL-7", "Enter"], 200)).toBeUndefined();
  expect(type([..."ab", "Enter"], 10)).toBeUndefined();
});

test("what a person typed before a scan is no part of the code", () => {
  let wedge: Wedge & { code?: string } = pressed(emptyWedge, "x", 1_000);
  for (const [index, key] of [..."CODE", "Enter"].entries()) wedge = pressed(wedge, key, 2_000 + index * 5);
  expect(wedge.code).toBe("CODE");
});
