import { randomBytes } from "node:crypto";
import { createUserApi, type Demo } from "@asset-register/harness/client";
import type { Page } from "playwright-core";
import { openAlertWorld } from "../alert-world.ts";
import { showToCamera } from "./camera.ts";
import { originOf } from "./chromium.ts";

/** The scenes of the film, in order. */
export const scenes = ["create", "label", "scan", "check-out", "live"] as const;
export type Scene = (typeof scenes)[number];

type Options = {
  demo: Demo;
  page: Page;
  pdftoppm: string;
  /** Is called when the page shows what a scene is about. */
  onScene: (scene: Scene) => Promise<void>;
};

/**
 * The main job, as somebody plays it who has never seen the console: creates an asset, prints its label, scans it, checks
 * it out, and sees it arrive in a zone by a signed read, without reloading.
 * @returns the id of the asset
 */
export async function playFilm({ demo, page, pdftoppm, onScene }: Options): Promise<string> {
  const origin = originOf(demo);
  const api = createUserApi(demo.base_url, demo);
  const name = "Thermal camera";
  // Records that exist before: a person, and a gate with a reader.
  await api.post("/custodians", { name: "Mary Ward" });
  const gate = await (await openAlertWorld(demo)).newZone("Main gate");
  const dialog = page.getByRole("dialog");
  const area = (label: string): Promise<void> =>
    page.getByRole("navigation").getByRole("link", { name: label, exact: true }).click();

  await page.goto(`${origin}/app/`);
  await area("Assets");
  await page.getByRole("button", { name: "New asset" }).first().click();
  await dialog.getByRole("textbox", { name: /^Name/ }).fill(name);
  await dialog.getByRole("textbox", { name: "Serial number" }).fill("TC-2081");
  await dialog.getByRole("textbox", { name: "Cost", exact: true }).fill("1890");
  await onScene("create");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Print label" }).click();
  await page.getByRole("combobox", { name: "Sheet or roll" }).click();
  await page.getByRole("option", { name: "Roll: 50 × 25 mm" }).click();
  await onScene("label");
  await page.getByRole("button", { name: /^Make \d+ labels?$/ }).click();
  await page.getByRole("link", { name: "Print" }).waitFor();
  await showToCamera(demo, new URL(page.url()).searchParams.get("sheet") ?? "", pdftoppm);

  await area("Scan");
  await page.getByRole("button", { name: "Use the camera" }).click();
  const found = page.getByRole("region", { name: "The scanned asset" });
  await found.getByRole("link", { name }).waitFor();
  await onScene("scan");
  await found.getByRole("button", { name: "Check out" }).click();
  await dialog.getByRole("combobox", { name: "Person" }).fill("Mary");
  await page.getByRole("option", { name: "Mary Ward" }).click();
  await onScene("check-out");
  await dialog.getByRole("button", { name: "Check out" }).click();
  await found.getByRole("button", { name: "Take back" }).waitFor();

  // Its RFID tag came with it; the portal at the gate reads it.
  const epc = randomBytes(12).toString("hex").toUpperCase();
  await api.post("/tags/commission", { asset_id: id, type: "rfid", epc });
  await area("Live");
  await page.getByRole("link", { name: /Main gate/ }).click();
  await page.getByText("Nothing is in this zone now.").waitFor();
  const ts = new Date();
  await gate.post({ epc, ts: new Date(ts.getTime() - 1_000) }, { epc, ts });
  await page.getByRole("link", { name }).waitFor();
  await onScene("live");
  return id;
}
