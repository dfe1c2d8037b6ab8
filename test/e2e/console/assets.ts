import { expect, test } from "vitest";
import { admin, createAsset, describeConsole, expectAccessible, openPageOf, origin } from "./browser.ts";

describeConsole("assets", (user) => {
  test("a person creates an asset, checks it out and takes it back", async () => {
    await admin.post("/custodians", { name: "Grace Hopper" });
    const { page, problems } = user;
    await page.getByRole("link", { name: "Assets" }).click();
    await page.getByRole("button", { name: "New asset" }).first().click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("Rotary hammer");
    await page.getByRole("textbox", { name: "Serial number" }).fill("SN-77");
    await page.getByRole("textbox", { name: "Cost" }).fill("420.5");
    await expectAccessible(page, "the form of an asset");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Rotary hammer" }).waitFor();
    await page.getByText("SN-77").waitFor();

    await page.getByRole("button", { name: "Check out" }).click();
    await page.getByRole("dialog").getByLabel("Person").last().fill("Grace");
    await page.getByRole("option", { name: "Grace Hopper" }).click();
    await expectAccessible(page, "the dialog of a check-out");
    await page.getByRole("dialog").getByRole("button", { name: "Check out" }).click();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
    await page.getByRole("button", { name: "Check out" }).waitFor();
    await page.getByRole("tab", { name: "Check-outs" }).click();
    await page.getByText(/Returned/).waitFor();
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByText("Checked out").first().waitFor();
    await expectAccessible(page, "an asset");
    expect(problems).toEqual([]);
  });

  test("two people edit one asset: the second one is told, keeps the text, and can save", async () => {
    const { page } = user;
    const { id, rev } = await createAsset("Ladder");
    await page.goto(`${origin}/app/assets/${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Model" }).fill("L-12");
    const other = await admin.call(
      "PATCH",
      `/assets/${id}`,
      { manufacturer: "Hailo" },
      { "if-match": `"${rev}.x"` },
    );
    expect(other.status).toBe(200);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody else changed it meanwhile").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Ladder was saved").waitFor();
    expect(await admin.get(`/assets/${id}`)).toMatchObject({ model: "L-12", manufacturer: "Hailo" });
    // The browser reports the 412 itself.
    expect(user.problems.splice(0)).toEqual([expect.stringContaining("412")]);
  });

  test("a creation whose answer is lost is made once when the user presses the button again", async () => {
    const { page, problems } = user;
    const name = `Lost answer ${Date.now()}`;
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "New asset" }).first().click();
    await page.getByRole("textbox", { name: /^Name/ }).fill(name);
    await page.route(
      "**/asset_manager_api/assets",
      async (route) => {
        // The server has done it.
        expect((await route.fetch()).status()).toBe(201);
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("The server can't be reached").waitFor();
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect(await admin.get(`/assets?q=${encodeURIComponent(name)}`)).toMatchObject({ total: 1 });
    // The browser reports the lost answer itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("ERR_FAILED")]);
  });

  test("a request that the server limits is sent again when it says so", async () => {
    const { page, problems } = user;
    await createAsset("Patient asset");
    await page.route(
      "**/asset_manager_api/assets?*",
      (route) =>
        route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { code: "RATE_LIMITED" } }),
      { times: 1 },
    );
    await page.goto(`${origin}/app/assets?q=Patient`);
    await page.getByRole("link", { name: "Patient asset" }).waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining("429")]);
  });

  test("a change by somebody else appears without reloading", async () => {
    const { page } = user;
    const { id } = await createAsset("Quiet asset");
    await page.goto(`${origin}/app/assets/${id}`);
    await page.getByRole("heading", { level: 1, name: "Quiet asset" }).waitFor();
    await admin.call("PATCH", `/assets/${id}`, { name: "Loud asset" });
    await page.getByRole("heading", { level: 1, name: "Loud asset" }).waitFor();
    expect(user.problems).toEqual([]);
  });

  test("a user who may only view is offered no change", async () => {
    const viewer = await openPageOf(["view"], 360);
    await viewer.page.goto(`${origin}/app/assets`);
    await viewer.page.getByRole("link", { name: "Ladder", exact: true }).click();
    await viewer.page.getByRole("heading", { level: 1, name: "Ladder" }).waitFor();
    expect(await viewer.page.getByRole("button", { name: /Edit|Check out|New asset/ }).count()).toBe(0);
    await expectAccessible(viewer.page, "an asset on a phone");
    expect(viewer.problems).toEqual([]);
    await viewer.context.close();
  });
});
