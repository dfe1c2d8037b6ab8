import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { admin, describeConsole, expectAccessible, openPageOf, origin } from "./browser.ts";

const run = Date.now().toString(36);

/** As a German Excel saves it: semicolons, commas in amounts, Windows-1252. */
const german = Buffer.from(
  [
    "Inventar-Nr.;Bezeichnung;Kaufpreis;Kaufdatum;Bemerkung",
    `IMP-${run}-1;Bohrhammer für Größe 5;1.234,50;31.12.2025;gut`,
    `IMP-${run}-2;Säge;kaputt;01.02.2026;=1+1`,
    `IMP-${run}-3;;5,00;02.02.2026;"a;""b"""`,
    "",
  ].join("\r\n"),
  "latin1",
);

const choose = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
  await page.goto(`${origin}/app/import`);
  await page.getByText("Drop a CSV file here").waitFor();
  await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer });
};

describeConsole("import", (user) => {
  test("a German spreadsheet: columns are recognised, bad rows are named and saved, good ones become assets", async () => {
    const { page, problems } = user;
    await choose(page, "Geräte.csv", german);
    await page.getByText("3 rows").waitFor();
    await page.getByText("Bohrhammer für Größe 5").waitFor();
    const fieldOf = (name: string) => page.getByRole("combobox", { name: `Field of ${name}` }).inputValue();
    expect(await fieldOf("Inventar-Nr.")).toBe("Number");
    expect(await fieldOf("Kaufpreis")).toBe("Cost");
    expect(await fieldOf("Bemerkung")).toBe("");
    expect(await page.getByRole("combobox", { name: "How Kaufdatum is written" }).inputValue()).toBe(
      "31.12.2026",
    );
    await expectAccessible(page, "the columns of an import");

    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByRole("heading", { name: "Checked: nothing is saved yet" }).waitFor();
    await page.getByText("Kaufpreis “kaputt” is no amount").waitFor();
    await page.getByText("Bezeichnung is missing").waitFor();
    await expectAccessible(page, "a checked import");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the rows that fail" }).click();
    const failing = await readFile(await (await download).path(), "utf8");
    expect(failing.split("\r\n").slice(0, -1)).toEqual([
      '\ufeff"Inventar-Nr.";"Bezeichnung";"Kaufpreis";"Kaufdatum";"Bemerkung";"Reason"',
      `"IMP-${run}-2";"Säge";"kaputt";"01.02.2026";"'=1+1";"Kaufpreis: is no amount"`,
      `"IMP-${run}-3";"";"5,00";"02.02.2026";"a;""b""";"Bezeichnung: is missing"`,
    ]);

    await page.getByRole("button", { name: "Import the 1 row that is good" }).click();
    await page.getByRole("heading", { name: "Imported" }).waitFor();
    await page.getByRole("tab", { name: "Created (1)" }).click();
    await page.reload();
    await page.getByRole("link", { name: "Bohrhammer für Größe 5" }).click();
    await page.getByRole("heading", { level: 1, name: "Bohrhammer für Größe 5" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect(await admin.get(`/assets/${id}`)).toMatchObject({
      ...{ number: `IMP-${run}-1`, cost: 1234.5, in_service_date: "2025-12-31" },
    });
    expect(problems).toEqual([]);
  });

  test("a check is imported once, also after a lost answer and a step back", async () => {
    const { page, problems } = user;
    const name = `Stool ${run}`;
    await choose(page, "stools.csv", Buffer.from(`Name,Model\n${name},S,left over\n${name},M\n`));
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.getByText("The row has more cells than the file has columns").waitFor();
    await page.route(
      "**/import/assets",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const importIt = page.getByRole("button", { name: "Import the 1 row that is good" });
    await importIt.click();
    await page.getByRole("alert").waitFor();
    expect(problems.splice(0)).toHaveLength(1);
    await importIt.click();
    await page.getByRole("heading", { name: "Imported" }).waitFor();
    await page.goBack();
    await importIt.click();
    await page.getByRole("heading", { name: "Imported" }).waitFor();
    const { data } = await admin.get<{ data: unknown[] }>(`/assets?q=${encodeURIComponent(name)}`);
    expect(data).toEqual([expect.objectContaining({ name, model: "M" })]);
    expect(problems).toEqual([]);
  });

  test("days that can be read in two ways are asked for, and a workbook is refused in words", async () => {
    const { page, problems } = user;
    await choose(page, "list.csv", Buffer.from("Name,Purchase date\nLamp,03/04/2026\n"));
    await page.getByText("Choose how it is written").first().waitFor();
    expect(await page.getByRole("button", { name: "Check the file" }).isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "How Purchase date is written" }).click();
    await page.getByRole("option", { name: "31.12.2026" }).click();
    await page.getByText("Nothing is saved yet.").waitFor();
    await choose(page, "list.xlsx", Buffer.from("PK\u0003\u0004rest"));
    await page.getByText("This is a workbook.").waitFor();
    await expectAccessible(page, "a refused file");
    expect(problems).toEqual([]);
  });

  test("a long check goes on when the page is closed, and the address leads back to it", async () => {
    const { page, problems } = user;
    const rows = Array.from({ length: 20_000 }, (_, index) => `LONG-${run}-${index},Chair ${index}`);
    await choose(page, "long.csv", Buffer.from(["Number,Name", ...rows].join("\n")));
    await page.getByText("20,000 rows").waitFor();
    await page.getByRole("button", { name: "Check the file" }).click();
    await page.waitForURL(/id=imp_/);
    await page.reload();
    await page.getByRole("heading", { name: "Checked: nothing is saved yet" }).waitFor();
    await page.getByText("choose the file again").waitFor();
    await page.goto(`${origin}/app/import`);
    await page.getByRole("link", { name: "Open" }).first().click();
    await page.getByText("Every row can be imported.").waitFor();
    expect(problems).toEqual([]);
  });

  test("who is no admin may not import", async () => {
    const { page, problems, context } = await openPageOf(["view"], 360);
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Print labels" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Import a spreadsheet" }).count()).toBe(0);
    await page.goto(`${origin}/app/import`);
    await page.getByText("You may not see this").waitFor();
    await expectAccessible(page, "an import that is not allowed");
    expect(problems).toEqual([]);
    await context.close();
  });
});
