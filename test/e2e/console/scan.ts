import { eventually, findPdftoppm } from "@asset-register/harness";
import { expect, test } from "vitest";
import { admin, createAsset, demo, describeConsole, expectAccessible, origin } from "./browser.ts";
import { showToCamera } from "./camera.ts";

type Sheet = { id: string; status: string };

const pdftoppm = await findPdftoppm();

/** Makes the label of an asset. */
async function labelOf(assetId: string): Promise<string> {
  const request = { asset_ids: [assetId], template: "50x25", format: "pdf", missing_tags: "bind" };
  const { id } = await admin.post<Sheet>("/labels", request);
  await eventually(async () =>
    expect(await admin.get<Sheet>(`/labels/${id}`)).toMatchObject({ status: "ready" }),
  );
  return id;
}

describeConsole("scan", (user) => {
  test.skipIf(pdftoppm === undefined)(
    "the camera reads a printed label, and its asset is checked out and taken back",
    async () => {
      const { page, problems } = user;
      const { id } = await createAsset("Scanned lamp");
      await showToCamera(demo, await labelOf(id), pdftoppm ?? "");
      await page.goto(`${origin}/app/scan`);
      await page.getByRole("button", { name: "Use the camera" }).click();
      const found = page.getByRole("region", { name: "The scanned asset" });
      await found.getByRole("link", { name: "Scanned lamp" }).waitFor();
      await expectAccessible(page, "a scanned asset");
      await found.getByRole("button", { name: "Check out" }).click();
      await page.getByRole("dialog").getByText("Outside").click();
      await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Hire Ltd");
      await page.getByRole("dialog").getByRole("button", { name: "Check out" }).click();
      await found.getByRole("button", { name: "Take back" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Take back" }).click();
      await found.getByRole("button", { name: "Check out" }).waitFor();
      await page.getByRole("button", { name: "Stop the camera" }).click();
      expect(problems).toEqual([]);
    },
  );

  test("a scanner that acts as a keyboard: an unknown code is bound, and then found", async () => {
    const { page, problems } = user;
    const { id } = await createAsset("Bound by scan");
    const code = `WEDGE-${id.slice(-6)}`;
    await page.goto(`${origin}/app/scan`);
    await page.getByText("Nothing has been scanned yet").waitFor();
    const scan = async (): Promise<void> => {
      // All keys at once: between those that the driver types, a busy machine pauses as long as a person.
      const keys = JSON.stringify([...code, "Enter"]);
      await page.evaluate(
        `for (const key of ${keys})
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));`,
      );
    };
    await scan();
    const unknown = page.getByRole("region", { name: "Unknown code" });
    await expectAccessible(page, "an unknown code");
    await unknown.getByRole("button", { name: "Bind it to an asset" }).click();
    await page.getByRole("dialog").getByRole("combobox", { name: "Asset" }).fill("Bound by scan");
    await page.getByRole("option", { name: /Bound by scan/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Bind a tag" }).click();
    const found = page.getByRole("region", { name: "The scanned asset" });
    await found.getByRole("link", { name: "Bound by scan" }).waitFor();
    expect(await admin.get(`/assets/lookup?tag=${code}`)).toMatchObject({ id });
    // The browser reports each 404 of the unknown code itself, which is asked for again when an asset changes.
    expect([...new Set(problems.splice(0))]).toEqual([expect.stringContaining("404")]);
  });

  test("a fault is reported with a photo from the scanned asset", async () => {
    const { page, problems } = user;
    const { id } = await createAsset("Broken display");
    const code = `FAULT-${id.slice(-6)}`;
    await admin.post("/tags/commission", { asset_id: id, type: "qr", code });
    await page.goto(`${origin}/app/scan`);
    // The address on a label, as a scanner reads it.
    await page.getByRole("textbox", { name: "Code" }).fill(`${origin}/t/${code}`);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Report a fault" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "What is wrong?" }).fill("It stays dark");
    const photo = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "dark.png", mimeType: "image/png", buffer: photo });
    await expectAccessible(page, "the report of a fault");
    await dialog.getByRole("button", { name: "Report" }).click();
    await page.getByText("A work order for Broken display was created").waitFor();
    expect(await admin.get(`/assets/${id}/work-orders`)).toMatchObject({
      data: [{ title: "It stays dark", type: "corrective", status: "open" }],
    });
    expect(await admin.get(`/assets/${id}/attachments`)).toMatchObject({
      data: [{ name: "dark.png", content_type: "image/png" }],
    });
    expect(problems).toEqual([]);
  });
});
