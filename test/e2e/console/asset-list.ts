import { expect, test } from "vitest";
import { admin, describeConsole, expectAccessible, origin } from "./browser.ts";

describeConsole("the list of assets", (user) => {
  test("columns are chosen, are in the address, and are shown again from it", async () => {
    const { page, problems } = user;
    await admin.post("/assets", { name: "Tower crane", manufacturer: "Liebherr" });
    await page.goto(`${origin}/app/assets?q=Tower`);
    await page.getByRole("columnheader", { name: "Category" }).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Manufacturer" }).check();
    await page.getByRole("checkbox", { name: "Category" }).uncheck();
    await page.getByRole("cell", { name: "Liebherr" }).waitFor();
    await expectAccessible(page, "the columns of the list");
    expect(await page.getByRole("columnheader", { name: "Category" }).count()).toBe(0);
    await page.reload();
    await page.getByRole("cell", { name: "Liebherr" }).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("button", { name: "The usual columns" }).click();
    await page.getByRole("columnheader", { name: "Category" }).waitFor();
    expect(new URL(page.url()).searchParams.has("columns")).toBe(false);
    expect(problems).toEqual([]);
  });

  test("a view keeps the search under a name, and is forgotten again", async () => {
    const { page, problems } = user;
    await admin.post("/assets", { name: "Tower ladder" });
    await page.goto(`${origin}/app/assets`);
    const box = page.getByRole("searchbox", { name: /^Search/ });
    await box.fill("Tower");
    await page.waitForURL(/q=Tower/);
    const views = page.getByRole("button", { name: "Saved views" });
    await views.click();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Cranes");
    await expectAccessible(page, "the dialog of a view");
    await page.getByRole("dialog", { name: "Save this view" }).getByRole("button", { name: "Save" }).click();
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("link", { name: "Tower ladder" }).waitFor();
    await views.click();
    await page.getByRole("link", { name: "Cranes", exact: true }).click();
    await page.waitForURL(/q=Tower/);
    expect(await box.inputValue()).toBe("Tower");
    await views.click();
    await expectAccessible(page, "the list of views");
    await page.getByRole("button", { name: "Delete the view Cranes" }).click();
    await page
      .getByRole("dialog", { name: "Delete Cranes?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByText("Cranes was deleted").waitFor();
    await views.click();
    await page.getByText("A view keeps the search").waitFor();
    expect(problems).toEqual([]);
  });
});
