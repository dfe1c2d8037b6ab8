import { expect, test } from "vitest";
import { scanTime } from "./scan.ts";

const at = (ms: number) => new Date(ms);

test("a scan was made when the device says, but not after it arrived: a clock may be ahead", () => {
  expect(scanTime({ scannedAt: at(10), receivedAt: at(20) })).toEqual(at(10));
  expect(scanTime({ scannedAt: at(30), receivedAt: at(20) })).toEqual(at(20));
});
