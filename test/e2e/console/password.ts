import { eventually } from "@asset-register/harness";
import { expect, test } from "vitest";
import { createUser, describeConsole, expectAccessible, mails, openPage, origin, signIn } from "./browser.ts";

const better = "quiet river stone";
/** The link in the last of `count` mails to an address. */
const linkTo = (email: string, count: number): Promise<string> =>
  eventually(() => {
    const received = mails.received.filter(({ recipients }) => recipients.includes(email));
    expect(received).toHaveLength(count);
    return /^http\S+#\S+$/m.exec(received.at(-1)?.text ?? "")?.[0] ?? "";
  });

describeConsole("passwords and addresses", (user) => {
  test("a forgotten password is replaced by the link in a mail; a weak one is refused at its field", async () => {
    const { email } = await createUser(["view"]);
    const { page, problems, context } = await openPage();
    await page.goto(`${origin}/app/`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
    await expectAccessible(page, "the page of a forgotten password");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText(`If ${email} has an account`).waitFor();

    await page.goto(await linkTo(email, 1));
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    // The token does not stay in the address bar.
    await eventually(() => expect(page.url()).toBe(`${origin}/app/reset`));
    const fields = page.locator("input[autocomplete=new-password]");
    const [first, again] = [fields.nth(0), fields.nth(1)];
    await first.fill("password12345");
    await page.getByText("Too easy to guess").waitFor();
    await expectAccessible(page, "the page of a new password");
    await again.fill("password12345");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").filter({ hasText: "too easy to guess" }).waitFor();
    for (const field of [first, again]) await field.fill(better);
    await page.getByText(/[Hh]ard to guess/).waitFor();
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("heading", { name: "The password is set" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(page, { email, password: better });
    // The browser reports the 422 itself.
    expect(problems.splice(0)).toEqual([expect.stringContaining("422")]);
    await context.close();
  });

  test("another address is confirmed by the link in the mail to it, and this session goes on", async () => {
    const created = await createUser(["view"]);
    const { page, problems, context } = await openPage();
    await signIn(page, created);
    await page.goto(`${origin}/app/settings?tab=profile`);
    const next = `new-${created.email}`;
    await page.getByRole("button", { name: "Change the address" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the e-mail address" });
    await dialog.getByLabel("New e-mail address").fill(next);
    await expectAccessible(page, "the dialog of another address");
    await dialog.getByLabel("Current password").fill(created.password);
    await dialog.getByRole("button", { name: "Send the link" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(await linkTo(next, 1));
    await page.getByRole("heading", { name: "Confirm your e-mail address" }).waitFor();
    await expectAccessible(page, "the page that confirms an address");
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByRole("heading", { name: "The address is confirmed" }).waitFor();
    await page.goto(`${origin}/app/settings?tab=profile`);
    await page.getByText(next).first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test("an admin gives a user a link to choose a new password", async () => {
    const name = `Zoe ${Date.now()}`;
    await createUser(["view"], name);
    const { page, problems } = user;
    await page.goto(`${origin}/app/settings?tab=users`);
    await page.getByRole("button", { name: `More: ${name}` }).click();
    await page.getByRole("menuitem", { name: "Reset the password" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset the password" }).click();
    const secret = page.getByRole("dialog", { name: /^New password for/ });
    await secret.waitFor();
    await expectAccessible(page, "the dialog with the link");
    const link = await secret.getByRole("textbox").inputValue();
    expect(link).toMatch(/\/app\/reset#pr_[\w-]{43}$/);
    await secret.getByRole("button", { name: "I have copied it" }).click();
    expect(problems).toEqual([]);
  });
});
