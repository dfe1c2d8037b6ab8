import { findChromium } from "@asset-register/harness";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { errorCatalogue } from "../src/error-catalogue/catalogue.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

const executablePath = await findChromium();

describe.skipIf(executablePath === undefined)("the pages in a browser", () => {
  let gateway: TestGateway;
  let browser: Browser;
  let page: Page;
  /** Console errors and warnings, failed requests and policy violations. The tests expect none. */
  let problems: string[];
  let hosts: Set<string>;

  beforeAll(async () => {
    gateway = await startGateway();
    browser = await chromium.launch({
      executablePath: executablePath ?? "",
      // The sandbox of Chromium does not run as root, and containers run as root.
      args: ["--no-sandbox"],
      timeout: 120_000,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    // High, because a slow machine is not an error of the page.
    page.setDefaultTimeout(120_000);
    problems = [];
    hosts = new Set();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("requestfailed", (request) => problems.push(`${request.url()} failed`));
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    await page.exposeFunction("reportProblem", (text: string) => problems.push(text));
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', (event) => reportProblem(event.violatedDirective + ' ' + event.blockedURI))",
    );
  });
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
    expect([...hosts].filter((host) => host !== "")).toEqual([new URL(gateway.url).host]);
  });

  const heading = (name: string) => page.getByRole("heading", { name, exact: true });

  test("the reference shows surface A and one of its operations", async () => {
    await page.goto(`${gateway.url}/docs`);
    await heading("Asset Register, surface A").waitFor();
    await page.getByRole("button", { name: "Open Group - Assets" }).click();
    await page.getByRole("link", { name: /^Create an asset/ }).click();
    const operation = page.locator("section", { has: heading("Create an asset") }).last();
    await operation.getByText("Idempotency-Key", { exact: true }).first().waitFor();
    await operation.getByText("assets:write").first().waitFor();
  });

  test("the reference keeps the choice of surface B when the page is reloaded", async () => {
    await page.goto(`${gateway.url}/docs`);
    await page.getByRole("button", { name: "Surface A" }).click();
    await page.getByRole("option", { name: "Surface B" }).click();
    await heading("Asset Register, surface B").waitFor();
    // A reload breaks off what is still on its way.
    await page.waitForLoadState("networkidle");
    await page.reload();
    await heading("Asset Register, surface B").waitFor();
  });

  test("the reference can send a request to this gateway", async () => {
    const key = gateway.accounts.apiKey("assets:read");
    await page.goto(`${gateway.url}/docs`);
    await page.getByRole("button", { name: /Test Request.*\/v1\/me/ }).click();
    await page.getByPlaceholder("Token").first().fill(key);
    const answered = page.waitForResponse((response) => response.url() === `${gateway.url}/v1/me`);
    await page.getByRole("button", { name: /^Send/ }).first().click();
    expect(await (await answered).json()).toMatchObject({ success: true, data: { key: { name: "test" } } });
  });

  test("the page of errors explains every code, each with an anchor", async () => {
    await page.goto(`${gateway.url}/docs/errors`);
    const codes = await page.locator("tbody th").allTextContents();
    expect(codes).toEqual(errorCatalogue.map(({ code }) => code));
    await page.locator("#ASSET_CHECKED_OUT summary").click();
    await page.locator("#ASSET_CHECKED_OUT li", { hasText: "POST /v1/assets/{id}/checkout" }).waitFor();
  });
});
