import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { admin, createAsset, describeConsole, expectAccessible, openPageOf, origin } from "./browser.ts";

/** A word that no other asset has. */
const word = `lamp${Date.now().toString(36)}`;

describeConsole("labels", (user) => {
  test("selected assets get labels, from a free place of a used sheet; after a reload they are still there", async () => {
    const { page, problems } = user;
    const names = [`${word} one`, `${word} two`];
    for (const name of names) await createAsset(name);
    await page.goto(`${origin}/app/assets?q=${word}`);
    for (const name of names) await page.getByLabel(`Select ${name}`).click();
    await page.getByRole("link", { name: "Labels" }).last().click();
    await page.getByText("2 selected assets").waitFor();
    await page.locator("[data-position='5']").click();
    expect(await page.getByRole("textbox", { name: "First free label" }).inputValue()).toBe("5");
    await page.getByRole("textbox", { name: "Own text" }).fill("Call 555");
    await expectAccessible(page, "the choice of labels");
    await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
    await page.getByRole("heading", { name: "2 labels are ready" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "2 labels are ready" }).waitFor();
    await page.getByText("2 selected assets").waitFor();
    expect(await page.getByRole("link", { name: "Print" }).getAttribute("href")).toMatch(/^blob:/);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect(await readFile(await (await download).path(), "latin1")).toMatch(/^%PDF-/);
    const id = new URL(page.url()).searchParams.get("sheet");
    expect(await admin.get(`/labels/${id}`)).toMatchObject({ labels: 2, start_at: 5, text: "Call 555" });
    await expectAccessible(page, "labels that are ready");
    expect(problems).toEqual([]);
  });

  test("a file that did not arrive is asked for again, and a printed tab can load it again after the page was left", async () => {
    const { page, problems, context } = user;
    const { id } = await createAsset("A label to print");
    await page.goto(`${origin}/app/labels?asset=${id}`);
    await page.route("**/labels/*/file", (route) => route.abort());
    await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
    await page.getByText("The server can't be reached.").waitFor();
    await page.unroute("**/labels/*/file");
    await page.getByRole("button", { name: "Try again" }).click();
    const printed = context.waitForEvent("page");
    await page.getByRole("link", { name: "Print" }).click();
    const tab = await printed;
    await tab.waitForURL(/^blob:/);
    await page.getByRole("link", { name: "Assets" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Assets" }).waitFor();
    await tab.reload();
    expect(tab.url()).toMatch(/^blob:/);
    await tab.close();
    expect(problems.splice(0).every((text) => text.includes("ERR_FAILED"))).toBe(true);
  });

  test("a label of one asset from its page is a ZPL file for a roll", async () => {
    const { page, problems } = user;
    const { id } = await createAsset("Label stand");
    await page.goto(`${origin}/app/assets/${id}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Print label" }).click();
    await page.getByRole("combobox", { name: "Sheet or roll" }).click();
    await page.getByRole("option", { name: "Roll: 50 × 25 mm" }).click();
    await page.getByRole("combobox", { name: "File" }).click();
    await page.getByRole("option", { name: "ZPL for Zebra printers" }).click();
    await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
    await page.getByRole("heading", { name: "1 label is ready" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    expect((await download).suggestedFilename()).toBe("labels.zpl");
    const { data } = await admin.get<{ data: unknown[] }>(`/tags?asset_id=${id}`);
    expect(data).toEqual([expect.objectContaining({ type: "qr" })]);
    expect(problems).toEqual([]);
  });

  test("a code that does not fit is an error at its field", async () => {
    const { page } = user;
    await page.goto(`${origin}/app/labels?q=${word}`);
    await page.getByText("2 assets get a label").waitFor();
    await page.getByRole("combobox", { name: "Sheet or roll" }).click();
    await page.getByRole("option", { name: /L4731/ }).click();
    await page.getByRole("combobox", { name: "Code" }).click();
    await page.getByRole("option", { name: /Code 128/ }).click();
    await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
    await page
      .getByText(/needs a larger label/)
      .first()
      .waitFor();
    expect(user.problems.splice(0)).toEqual([expect.stringContaining("422")]);
  });

  test("who may only view prints what has a code, and reads why the rest has no label", async () => {
    const { id } = await createAsset("Label without a code");
    const viewer = await openPageOf(["view"], 360);
    const { page } = viewer;
    await page.goto(`${origin}/app/assets/${id}`);
    await page.getByRole("link", { name: "Print label" }).click();
    await page.getByText("Only people who may change assets can give them codes.").waitFor();
    expect(await page.getByRole("radio", { name: "Give each a new code" }).count()).toBe(0);
    await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
    await page.getByText("None of these assets has a code to print.").waitFor();
    await page.getByText("Has no code yet").waitFor();
    await expectAccessible(page, "labels that were not made, on a phone");
    const { data } = await admin.get<{ data: unknown[] }>(`/tags?asset_id=${id}`);
    expect(data).toEqual([]);
    expect(viewer.problems).toEqual([]);
    await viewer.context.close();
  });
});
