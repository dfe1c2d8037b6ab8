import { type LabelTemplate, templates } from "@asset-register/proto/label-templates";
import { describe, expect, test } from "vitest";
import { testAsset } from "../../../test/test-asset.ts";
import { fitsCodes, judgeLabel, mayTakeTag, symbolOf } from "./judge-label.ts";
import type { LabelOptions } from "./label-sheet.ts";

const PUBLIC_URL = "https://assets.example.com";
const options: LabelOptions = {
  ...{ format: "pdf", template: "l7160", code: "qr", startAt: 1, dpi: 203 },
  content: ["number", "name", "workspace_name"],
};
const around = { publicUrl: PUBLIC_URL, workspaceName: "Example Works" };
const asset = testAsset({ number: "AST-1", name: "Drill" });

const judge = (
  found: Parameters<typeof judgeLabel>[0],
  ensured: Parameters<typeof judgeLabel>[1],
  more: Partial<LabelOptions & { bindMissing: boolean }> = {},
) => judgeLabel(found, ensured, { ...options, bindMissing: false, ...more }, around);

describe("a label", () => {
  test("has the fields in the order that was asked for, then the text; only a Code 128 has a caption", () => {
    const found = { asset, takesTags: true };
    expect(judge(found, { code: "AR-1" }, { text: "Return to us" })).toMatchObject({
      label: { lines: ["AST-1", "Drill", "Example Works", "Return to us"], caption: undefined },
    });
    expect(judge(found, { code: "AR-1" }, { content: ["name"], code: "code128" })).toMatchObject({
      label: { lines: ["Drill"], caption: "AR-1", symbol: { rows: 1 } },
    });
  });

  test("is made for a retired asset that has kept its tag", () => {
    expect(judge({ asset, takesTags: false }, { code: "AR-1" })).toHaveProperty("label");
  });
});

describe("an asset is skipped", () => {
  const at = new Date(0);
  const disposed = {
    at,
    date: "2026-01-01",
    method: "scrapped" as const,
    by: { kind: "user" as const, id: "u" },
  };
  test.each([
    ["that does not exist", undefined, {}, "NOT_FOUND"],
    ["that is deleted", { asset: { ...asset, deletedAt: at }, takesTags: true }, { code: "A" }, "NOT_FOUND"],
    [
      "that is disposed of",
      { asset: { ...asset, disposed }, takesTags: false },
      { code: "A" },
      "ASSET_DISPOSED",
    ],
    ["without a tag", { asset, takesTags: true }, {}, "TAG_MISSING"],
    [
      "whose tag was refused",
      { asset, takesTags: true },
      { refusal: "ASSET_TAKES_NO_TAG" },
      "ASSET_TAKES_NO_TAG",
    ],
    ["whose code is too long", { asset, takesTags: true }, { code: "x".repeat(250) }, "CODE_DOES_NOT_FIT"],
  ] as const)("%s", (_, found, ensured, code) => {
    expect(judge(found, ensured)).toEqual({ skipped: code });
    expect(mayTakeTag(found)).toBe(
      code === "TAG_MISSING" || code === "ASSET_TAKES_NO_TAG" || code === "CODE_DOES_NOT_FIT",
    );
  });

  test("that takes no tag, when missing ones are bound", () => {
    const archived = { asset, takesTags: false };
    expect(mayTakeTag(archived)).toBe(false);
    expect(judge(archived, {}, { bindMissing: true })).toEqual({ skipped: "ASSET_TAKES_NO_TAG" });
    expect(judge(archived, {})).toEqual({ skipped: "TAG_MISSING" });
  });
});

test("every template takes QR and Data Matrix codes of the platform; Code 128 only the wide ones", () => {
  const names = Object.keys(templates) as LabelTemplate[];
  const fitting = (code: LabelOptions["code"], format: LabelOptions["format"] = "pdf") =>
    names.filter((template) => fitsCodes({ template, code, format, dpi: 203 }, PUBLIC_URL)).toSorted();
  expect(fitting("qr")).toEqual(names.toSorted());
  expect(fitting("datamatrix")).toEqual(names.toSorted());
  expect(fitting("code128")).toEqual(["100x50", "50x25", "5160", "70x32", "l7160"]);
  expect(fitting("code128", "zpl")).toEqual(expect.arrayContaining(["50x25", "70x32", "100x50"]));
});

test("a long PUBLIC_URL does not fit on the smallest labels, but on the larger ones", () => {
  const long = `https://asset-register.${"department".repeat(6)}.example.com`;
  const fits = (template: LabelTemplate) =>
    symbolOf("A0B1C2D3E4F5", { ...options, template }, long) !== undefined;
  expect([fits("l4731"), fits("l7160")]).toEqual([false, true]);
});
