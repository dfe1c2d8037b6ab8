import { expect, test } from "vitest";
import { bodyOf, initialValues } from "./label-values.ts";

test("a sheet has its first free label, a roll has the format of its printer", () => {
  const values = { ...initialValues(true), start_at: 4, format: "zpl", dpi: "300" } as const;
  const sheet = bodyOf(values, false);
  expect(sheet).toMatchObject({ format: "pdf", start_at: 4, missing_tags: "bind", text: null });
  expect(sheet).not.toHaveProperty("dpi");
  const roll = bodyOf({ ...values, template: "50x25" }, true);
  expect(roll).toMatchObject({ format: "zpl", dpi: 300 });
  expect(roll).not.toHaveProperty("start_at");
});

test("lines are in the order of a label, whatever the order of the clicks", () => {
  const values = { ...initialValues(false), content: ["workspace_name" as const, "number" as const] };
  expect(bodyOf(values, false)).toMatchObject({
    content: ["number", "workspace_name"],
    missing_tags: "skip",
  });
});
