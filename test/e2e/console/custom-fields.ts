import { expect, test } from "vitest";
import { admin, describeConsole, expectAccessible, expectRebased, origin } from "./browser.ts";

type Field = { id: string; key: string };

/** Fields of the demo's workspace, which the other tests share: they belong to a category of this test. */
async function createFields(fields: Record<string, object>): Promise<{ category: string; inside: string }> {
  const { id } = await admin.post<{ id: string }>("/categories", { name: "Measuring devices" });
  const below = await admin.post<{ id: string }>("/categories", { name: "Multimeters", parent_id: id });
  for (const [key, field] of Object.entries(fields))
    await admin.post<Field>("/custom-fields", { key, category_ids: [id], ...field });
  return { category: id, inside: below.id };
}

describeConsole("custom fields", (user) => {
  test("a custom field is defined with its bounds, and they are shown again", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/people?tab=custom-fields`);
    await page.getByRole("button", { name: "New custom field" }).first().click();
    await page.getByRole("textbox", { name: "Label" }).fill("Cable length");
    await page.getByRole("textbox", { name: "Key" }).fill("cable_length");
    await page.getByRole("textbox", { name: "Pattern" }).waitFor();
    await page.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Number" }).click();
    await page.getByRole("textbox", { name: "Minimum" }).fill("5");
    await page.getByRole("textbox", { name: "Maximum" }).fill("2");
    await expectAccessible(page, "the dialog of a custom field");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("must not be less than min", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Maximum" }).fill("50");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Cable length was created").waitFor();
    const { data } = await admin.get<{ data: { key: string }[] }>("/custom-fields?per_page=200");
    expect(data.find(({ key }) => key === "cable_length")).toMatchObject({ min: 5, max: 50 });
    // The browser reports the 422 itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("422")]);
  });

  test("a label is changed before the time zone is known: the bounds of the field stay", async () => {
    const { page, problems } = user;
    const min = "2026-01-31T09:30:00.000Z";
    const label = "Calibrated at";
    const { id } = await admin.post<Field>("/custom-fields", {
      ...{ key: "m_calibrated", label, type: "datetime", min },
    });
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route("**/tenant_config", async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto(`${origin}/app/people?tab=custom-fields`);
    await page.getByRole("button", { name: `Actions for ${label}` }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    open();
    await page.getByRole("textbox", { name: "Label" }).fill(`${label} UTC`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${label} UTC was saved`).waitFor();
    expect(await admin.get(`/custom-fields/${id}`)).toMatchObject({ label: `${label} UTC`, min });
    await page.unroute("**/tenant_config");
    await admin.call("DELETE", `/custom-fields/${id}`);
    expect(problems).toEqual([]);
  });

  test("a field that somebody else changed meanwhile keeps their change", async () => {
    const { page, problems } = user;
    const { id } = await admin.post<Field>("/custom-fields", {
      ...{ key: "m_range", label: "Range", type: "number", min: 1, max: 9 },
    });
    await page.goto(`${origin}/app/people?tab=custom-fields`);
    await page.getByRole("button", { name: "Actions for Range" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Range in volts");
    await expectRebased(page, () => admin.call("PATCH", `/custom-fields/${id}`, { max: 50 }));
    await page.getByText("Range in volts was saved").waitFor();
    expect(await admin.get(`/custom-fields/${id}`)).toMatchObject({
      label: "Range in volts",
      min: 1,
      max: 50,
    });
    await admin.call("DELETE", `/custom-fields/${id}`);
    // The browser reports the 412 itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("412")]);
  });

  test("an asset has the fields of its category: refused at the field, saved, shown and changed", async () => {
    const { page, problems } = user;
    const options = [{ value: "cat_2", label: "CAT II" }, { value: "cat_3" }];
    const { inside } = await createFields({
      m_code: { label: "Device code", type: "text", required: true, pattern: "[A-Z]{2}-[0-9]+" },
      m_accuracy: { label: "Accuracy", type: "number", min: 0, max: 5 },
      m_safe: { label: "Insulated", type: "boolean" },
      m_tested: { label: "Tested at", type: "datetime" },
      m_bought: { label: "Bought on", type: "date" },
      m_class: { label: "Safety class", type: "select", options },
      m_uses: { label: "Uses", type: "multiselect", options },
      m_manual: { label: "Manual", type: "url" },
    });
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "New asset" }).first().click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("Fluke 87");
    expect(await page.getByLabel("Device code").count()).toBe(0);
    await page.getByRole("dialog").getByRole("combobox", { name: "Category" }).fill("Multi");
    await page.getByRole("option", { name: "Multimeters" }).click();
    await page.getByLabel("Device code").fill("wrong");
    await page.getByLabel("Accuracy").fill("0.5");
    await page.getByRole("combobox", { name: "Insulated" }).click();
    await page.getByRole("option", { name: "Yes" }).click();
    await page.getByLabel("Tested at").fill("2026-01-31T10:30");
    await page.getByLabel("Bought on").fill("2025-12-24");
    await page.getByRole("combobox", { name: "Safety class" }).fill("CAT");
    await page.getByRole("option", { name: "CAT II" }).click();
    await page.getByRole("combobox", { name: "Uses" }).fill("cat_3");
    await page.getByRole("option", { name: "cat_3" }).click();
    await page.getByLabel("Manual").fill("https://example.com/87");
    await expectAccessible(page, "the form of an asset with custom fields");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("must match [A-Z]{2}-[0-9]+", { exact: true }).waitFor();
    await page.getByLabel("Device code").fill("FL-87");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Fluke 87" }).waitFor();
    await page.getByText("FL-87").waitFor();
    await page.getByText("CAT II", { exact: true }).waitFor();
    await page.getByRole("link", { name: "https://example.com/87" }).waitFor();

    const asset = `/assets/${new URL(page.url()).pathname.split("/").at(-1)}`;
    const { workspace } = await admin.get<{ workspace: { time_zone: string } }>("/tenant_config");
    const { custom_fields: stored } = await admin.get<{ custom_fields: Record<string, unknown> }>(asset);
    expect(stored).toEqual({
      ...{ m_code: "FL-87", m_accuracy: 0.5, m_safe: true, m_bought: "2025-12-24" },
      ...{ m_class: "cat_2", m_uses: ["cat_3"], m_manual: "https://example.com/87" },
      m_tested: expect.any(String),
    });
    const shown = new Intl.DateTimeFormat("sv-SE", {
      ...{ timeZone: workspace.time_zone, dateStyle: "short", timeStyle: "short" },
    }).format(new Date(String(stored.m_tested)));
    expect(shown).toBe("2026-01-31 10:30");

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Accuracy").fill("");
    await page.getByRole("combobox", { name: "Insulated" }).click();
    await page.getByRole("option", { name: "No", exact: true }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Fluke 87 was saved").waitFor();
    const { m_accuracy: _, ...others } = stored;
    expect(await admin.get(asset)).toMatchObject({
      custom_fields: { ...others, m_safe: false },
      category_id: inside,
    });
    expect(problems.splice(0)).toEqual([expect.stringContaining("422")]);
  });
});
