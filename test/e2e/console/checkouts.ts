import { expect, test } from "vitest";
import { admin, createAsset, describeConsole, expectAccessible, origin } from "./browser.ts";

describeConsole("check-outs", (user) => {
  test("several assets are issued at once, and one that somebody else has issued meanwhile stays with the reason", async () => {
    const { page, problems } = user;
    const [saw, , drill] = [
      await createAsset("Saw K1"),
      await createAsset("Saw K2"),
      await createAsset("Saw K3"),
    ];
    await page.goto(`${origin}/app/checkouts`);
    await page.getByRole("button", { name: "Check out" }).first().click();
    const dialog = page.getByRole("dialog");
    for (const name of ["Saw K1", "Saw K2", "Saw K3"]) {
      await dialog.getByRole("combobox", { name: "Assets" }).fill(name);
      await page.getByRole("option", { name: new RegExp(name) }).click();
    }
    await page.keyboard.press("Tab");
    await dialog.getByText("Outside").click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Hire Ltd");
    await dialog.getByLabel("Due back").fill("2020-01-31");
    await expectAccessible(page, "the dialog of several check-outs");
    await admin.post(`/assets/${drill?.id}/checkouts`, {
      issued_to_type: "external",
      issued_to_name: "Other",
    });
    await dialog.getByRole("button", { name: "Check out" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/^Saw K3: /)
      .waitFor();
    expect(await dialog.getByText("Saw K1").count()).toBe(0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await admin.get(`/assets/${saw?.id}`)).toMatchObject({
      current_checkout: { issued_to_name: "Hire Ltd" },
    });
    // The browser reports the 409 itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("409")]);
  });

  test("what is late is a view, and several are taken back at once", async () => {
    const { page, problems } = user;
    const names = ["Late one", "Late two"];
    for (const name of names) {
      const { id } = await createAsset(name);
      const body = {
        issued_to_type: "external",
        issued_to_name: "Hire Ltd",
        due_at: "2020-01-31",
        condition_out: "good",
      };
      await admin.post(`/assets/${id}/checkouts`, body);
    }
    await page.goto(`${origin}/app/`);
    await page.getByRole("link", { name: /overdue/i }).click();
    await page.getByRole("tab", { name: "Overdue", selected: true }).waitFor();
    for (const name of names) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await expectAccessible(page, "overdue check-outs");
    await page.getByRole("button", { name: "Take back", exact: true }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Condition" }).click();
    await page.getByRole("option", { name: "Damaged" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
    await page.getByText("2 assets were taken back").waitFor();
    for (const name of names)
      await page.getByRole("link", { name, exact: true }).waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Returned" }).click();
    for (const name of names) await page.getByRole("link", { name, exact: true }).waitFor();
    await page.getByText("To be inspected").filter({ visible: true }).first().waitFor();
    for (const view of ["out", "soon"]) {
      await page.goto(`${origin}/app/checkouts?view=${view}`);
      await page.getByRole("tab", { selected: true }).waitFor();
      await expectAccessible(page, `check-outs: ${view}`);
    }
    expect(problems).toEqual([]);
  });
});
