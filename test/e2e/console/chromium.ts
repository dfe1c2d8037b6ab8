import { findChromium } from "@asset-register/harness";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { cameraArguments } from "./camera.ts";

/** Undefined without a browser. The reason is printed. */
export const executablePath = await findChromium();

/** A slow machine is not an error of the page. */
const WAIT_MS = 60_000;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executablePath ?? "",
    // The sandbox of Chromium does not run as root, and containers run as root.
    args: ["--no-sandbox", ...cameraArguments],
    timeout: 120_000,
  });

/** A page of one user. `problems` collects everything that a person with open developer tools would see in red. */
export type UserPage = { page: Page; context: BrowserContext; problems: string[] };

export async function openPageIn(browser: Browser, width = 1280): Promise<UserPage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: "en-GB",
    permissions: ["camera"],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.exposeFunction("reportProblem", (text: string) => problems.push(text));
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => reportProblem(event.violatedDirective + ' ' + event.blockedURI))",
  );
  return { page, context, problems };
}

/** The address that a platform has for people: the cookie and the pages are of one origin. */
export const originOf = ({ base_url }: { base_url: string }): string =>
  base_url.replace("127.0.0.1", "localhost");

export async function signInAt(
  page: Page,
  origin: string,
  user: { email: string; password: string },
): Promise<void> {
  await page.goto(`${origin}/app/`);
  await page.getByLabel("E-mail address").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: /^Hello/ }).waitFor();
}
