import { expect, test } from "vitest";
import { admin, demo, describeConsole, expectAccessible, origin } from "./browser.ts";

describeConsole("places and people", (user) => {
  test("a place that is dropped on another one is moved there, after a question", async () => {
    const { page, problems } = user;
    const create = (path: string, body: object) => admin.post<{ id: string }>(path, body);
    const west = await create("/properties", { name: "West wharf" });
    const east = await create("/properties", { name: "East wharf" });
    const shed = await create("/locations", { name: "Rope shed", property_id: west.id });
    await page.goto(`${origin}/app/places`);
    const row = (name: string) => page.getByText(name, { exact: true });
    await row("Rope shed").waitFor();
    await row("Rope shed").dragTo(row("East wharf"));
    const dialog = page.getByRole("dialog", { name: "Move Rope shed" });
    expect(await dialog.getByRole("combobox").inputValue()).toBe("East wharf");
    await expectAccessible(page, "the dialog of a move");
    await dialog.getByRole("button", { name: "Move" }).click();
    await page.getByText("Rope shed was moved").waitFor();
    expect(await admin.get(`/locations/${shed.id}`)).toMatchObject({ property_id: east.id });
    // A property is in nothing, and can't be dropped.
    await row("West wharf").dragTo(row("East wharf"));
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("a person has an account", async () => {
    const { page, problems } = user;
    const { id } = await admin.post<{ id: string }>("/custodians", { name: "Katherine Johnson" });
    await page.goto(`${origin}/app/people?q=Katherine`);
    await page.getByRole("button", { name: "Actions for Katherine Johnson" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const account = page.getByRole("combobox", { name: "Account" });
    await account.click();
    const { data } = await admin.get<{ data: { id: string; name: string; email: string }[] }>("/users");
    const chosen = data.find(({ email }) => email === demo.email);
    await page.getByRole("option", { name: chosen?.name ?? "", exact: true }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Katherine Johnson was saved").waitFor();
    expect(await admin.get(`/custodians/${id}`)).toMatchObject({ user_id: chosen?.id });
    await page.getByRole("cell", { name: chosen?.name ?? "" }).waitFor();
    expect(problems).toEqual([]);
  });
});
