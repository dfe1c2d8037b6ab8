import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  admin,
  createUser,
  demo,
  describeConsole,
  expectAccessible,
  openPage,
  origin,
  signIn,
} from "./browser.ts";
import type { UserPage } from "./chromium.ts";

/** The code of an app now, or one step later: the code that set it up was used. */
const codeOf = (secret: string, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });

/** A passkey in software, with a fingerprint that always matches. */
async function addVirtualAuthenticator({ page, context }: UserPage): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
}

async function typePassword(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Sets up codes of an app on the page, and keeps the recovery codes. */
async function setUpCodes(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole("button", { name: "Set up" }).click();
  const dialog = page.getByRole("dialog", { name: "Authenticator app" });
  await dialog.getByRole("img", { name: "QR code for the app" }).waitFor();
  await expectAccessible(page, "the dialog that sets up codes");
  const secret = await dialog.getByLabel("Key").inputValue();
  await dialog.getByLabel("Code of the app").fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await codes.waitFor();
  await expectAccessible(page, "the recovery codes");
  const recoveryCodes = await codes.getByRole("listitem").allTextContents();
  await codes.getByRole("button", { name: "I have kept them" }).click();
  return { secret, recoveryCodes };
}

/** The answers 401 and 403 are what these tests are about: the browser reports each itself. */
function expectOnlyRefusals(problems: string[]): void {
  for (const problem of problems.splice(0)) expect(problem).toMatch(/40[13]|422/);
}

describeConsole("second factors", () => {
  test("codes of an app are set up, and then are the second step of the sign-in, or a recovery code is", async () => {
    const person = await createUser(["view"]);
    const { page, context, problems } = await openPage();
    await signIn(page, person);
    await page.goto(`${origin}/app/settings`);
    await page.getByRole("heading", { name: "Security" }).waitFor();
    await expectAccessible(page, "the section Security");
    const { secret, recoveryCodes } = await setUpCodes(page);
    expect(recoveryCodes).toHaveLength(10);
    await page.getByText("10 codes are left.").waitFor();
    await signOut(page);
    await typePassword(page, person);
    await page.getByLabel("Code of the app").fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await expectAccessible(page, "the second step");
    await page.getByLabel("Code of the app").fill(codeOf(secret, 1));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    await signOut(page);
    await typePassword(page, person);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    await page.goto(`${origin}/app/settings`);
    await page.getByText("9 codes are left.").waitFor();
    expectOnlyRefusals(problems);
    await context.close();
  });

  test("a passkey is added, signs in alone and as the second step, is renamed and removed", async () => {
    const person = await createUser(["view"]);
    const opened = await openPage();
    const { page, context, problems } = opened;
    await addVirtualAuthenticator(opened);
    await signIn(page, person);
    await page.goto(`${origin}/app/settings`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill("Test key");
    await dialog.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByText("Test key", { exact: true }).waitFor();
    await expectAccessible(page, "a passkey in Security");
    await signOut(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    await signOut(page);
    await typePassword(page, person);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("button", { name: "Your account" }).waitFor();
    await page.goto(`${origin}/app/settings`);
    await page.getByRole("button", { name: "Rename: Test key" }).click();
    const renaming = page.getByRole("dialog", { name: "Edit Test key" });
    await renaming.getByLabel("Name").fill("My key");
    await renaming.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Remove: My key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("You have no passkey yet.").waitFor();
    expectOnlyRefusals(problems);
    await context.close();
  });

  test("an action that needs a recent sign-in asks who it is, and is then done", async () => {
    const { page, context, problems } = await openPage();
    await signIn(page, demo);
    await page.goto(`${origin}/app/settings?tab=keys`);
    const refuse = {
      status: 403,
      json: { code: "REAUTHENTICATION_REQUIRED", detail: "Recent.", errors: [] },
    };
    await page.route("**/asset_manager_api/api-keys", (route) =>
      route.request().method() === "POST" ? route.fulfill(refuse) : route.continue(),
    );
    await page.getByRole("button", { name: "New API key" }).click();
    const name = `Recent ${Date.now()}`;
    await page.getByLabel(/^Name/).fill(name);
    await page.getByRole("dialog").getByRole("checkbox").first().check();
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.waitFor();
    await expectAccessible(page, "the question who it is");
    // Escape closes the question only: what was typed stays.
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    expect(await page.getByLabel(/^Name/).inputValue()).toBe(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await question.getByLabel("Password", { exact: true }).fill("wrong");
    await question.getByRole("button", { name: "Confirm" }).click();
    await question.getByRole("alert").waitFor();
    await page.unroute("**/asset_manager_api/api-keys");
    await question.getByLabel("Password", { exact: true }).fill(demo.password);
    await question.getByRole("button", { name: "Confirm" }).click();
    await page.getByLabel("Text of the key").waitFor();
    const { data } = await admin.get<{ data: { name: string }[] }>("/api-keys?per_page=200");
    expect(data.filter((key) => key.name === name)).toHaveLength(1);
    expectOnlyRefusals(problems);
    await context.close();
  });

  test("a user of a workspace that requires a second factor sets one up before anything else", async () => {
    const person = await createUser(["view"]);
    const { page, context, problems } = await openPage();
    await signIn(page, person);
    let isRequired = true;
    const stopped = {
      status: 403,
      json: { code: "MFA_ENROLMENT_REQUIRED", detail: "Required.", errors: [] },
    };
    // The demo's workspace does not require it: others use it.
    await page.route(/asset_manager_api\/(home|assets|notices)/, (route) =>
      isRequired ? route.fulfill(stopped) : route.continue(),
    );
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("heading", { name: "Set up a second factor" }).waitFor();
    await expectAccessible(page, "the page that asks to set up a second factor");
    isRequired = false;
    await setUpCodes(page);
    await page.getByRole("heading", { level: 1, name: "Assets" }).waitFor();
    expectOnlyRefusals(problems);
    await context.close();
  });

  test("an admin resets the second factors of a user", async () => {
    const person = await createUser(["view"]);
    const other = await openPage();
    await signIn(other.page, person);
    await other.page.goto(`${origin}/app/settings`);
    await setUpCodes(other.page);
    await other.context.close();
    const { page, context, problems } = await openPage();
    await signIn(page, demo);
    await page.goto(`${origin}/app/settings?tab=users`);
    const card = page.locator(".mantine-Card-root", { hasText: person.email });
    await page.getByText("Second factor").first().waitFor();
    while ((await card.count()) === 0) await page.getByRole("button", { name: "Load more" }).click();
    await expectAccessible(page, "the users");
    await card.getByRole("button", { name: "More: Vera" }).click();
    await page.getByRole("menuitem", { name: "Reset second factors" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset second factors" }).click();
    await page.getByText("Vera was saved").waitFor();
    expectOnlyRefusals(problems);
    await context.close();
  });
});
