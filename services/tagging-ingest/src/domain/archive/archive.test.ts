import { expect, it } from "vitest";
import { archiveId } from "./archive.ts";

it("a workspace has one file of a kind and day", () => {
  expect(archiveId({ workspaceId: "wsp_1", kind: "events", day: 1 })).toBe("wsp_1:events:1970-01-02");
});
