import { expect, test } from "vitest";
import { effectiveCapabilities } from "./capability.ts";

test("an admin holds every capability, others what they were granted", () => {
  expect(effectiveCapabilities(["admin"])).toHaveLength(10);
  expect(effectiveCapabilities(["edit", "view", "edit"])).toEqual(["view", "edit"]);
});
