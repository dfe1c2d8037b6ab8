import { expect, test } from "vitest";
import { describeConsole, expectAccessible, openPage, origin, outside } from "./browser.ts";

describeConsole("single sign-on", (user) => {
  const domain = `sso-${Date.now()}.company`;
  const email = `grace@${domain}`;

  test("an admin connects the provider, verifies the domain, and tests the connection", async () => {
    const { page, problems } = user;
    const { provider, names } = outside;
    await page.goto(`${origin}/app/settings?tab=sso`);
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByRole("button", { name: "Save" }).click();
    const redirect = page.getByLabel("Redirect address", { exact: true });
    await redirect.waitFor();
    const client = await provider.register(await redirect.inputValue());
    await page.getByLabel("Client ID").fill(client.client_id);
    await page.getByLabel("Client secret").fill("wrong");
    await page.getByRole("switch", { name: "Make an account" }).check();
    await page.getByRole("group", { name: "Capabilities of new accounts" }).getByLabel("View").check();
    await page.getByLabel("Claim with the groups").fill("groups");
    await page.getByRole("button", { name: "Add a group" }).click();
    await page.getByRole("textbox", { name: "Group", exact: true }).fill("stock");
    const group = page.getByRole("group", { name: "stock", exact: true });
    for (const right of ["View", "Edit"]) await group.getByLabel(right).check();
    await expectAccessible(page, "the connection");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("A secret is stored.").waitFor();

    await page.getByRole("button", { name: "Run the test" }).click();
    await page.getByText("The provider refuses the client: invalid_client.").waitFor();
    await page.getByLabel("Client secret").fill(client.client_secret);
    // The message about the first save can still be there.
    const saved = page.waitForResponse(
      (answer) => answer.request().method() !== "GET" && answer.url().endsWith("/sso"),
    );
    await page.getByRole("button", { name: "Save" }).click();
    await saved;
    await page.getByRole("button", { name: "Run the test" }).click();
    await page.getByText("The provider accepts client ID and client secret.").waitFor();

    await page.getByRole("textbox", { name: "Domain", exact: true }).fill("gmail.com");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("must not be a domain of free mail addresses").waitFor();
    await page.getByRole("textbox", { name: "Domain", exact: true }).fill(domain);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const verify = page.getByRole("button", { name: `Verify: ${domain}` });
    await verify.click();
    await page.getByText("The TXT record was not found.").waitFor();
    await expectAccessible(page, "the domains");
    const [name, text] = [
      page.getByLabel("Name of the TXT record", { exact: true }),
      page.getByLabel("Text of the TXT record", { exact: true }),
    ];
    names.records.set(await name.inputValue(), [await text.inputValue()]);
    await verify.click();
    await page.getByText("Verified", { exact: true }).waitFor();
    // The browser reports the refusals itself: no connection at first, a free domain, no record.
    for (const problem of problems.splice(0)) expect(problem).toMatch(/404|422/);
  });

  test("a person signs in with the company, at the address that was opened, and gets the rights of the group", async () => {
    const opened = await openPage();
    const { page, problems } = opened;
    outside.provider.state.person = { sub: email, email, name: "Grace Hopper", groups: ["stock"] };
    await page.goto(`${origin}/app/assets`);
    await page.getByRole("button", { name: "Sign in with your company" }).click();
    await page.getByLabel("E-mail address").fill("grace@unknown.company");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("This company does not sign in with its own page here.").waitFor();
    await expectAccessible(page, "the sign-in with a company");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { level: 1, name: "Assets" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/assets");
    const me = await page.evaluate<string>("document.cookie + location.hash");
    expect(me).toBe("");
    await page.reload();
    await page.getByRole("button", { name: "Your account" }).click();
    await page.getByText(email).first().waitFor();
    for (const problem of problems.splice(0)) expect(problem).toMatch(/404|401/);
    await opened.context.close();
  });

  test("a user of the company confirms who they are by signing in there again, and comes back", async () => {
    const opened = await openPage();
    const { page, problems } = opened;
    outside.provider.state.person = { sub: email, email, name: "Grace Hopper", groups: ["stock"] };
    await page.goto(`${origin}/app/settings`);
    await page.getByRole("button", { name: "Sign in with your company" }).click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    // Nobody has asked the provider when Grace signed in there, so her session is not recent.
    await page.getByRole("button", { name: "Set up" }).click();
    const question = page.getByRole("dialog", { name: "Confirm that it is you" });
    await question.getByRole("button", { name: "Sign in with your company again" }).waitFor();
    expect(await question.getByLabel("Password").count()).toBe(0);
    await question.getByRole("button", { name: "Sign in with your company again" }).click();
    await page.waitForURL(/\/app\/sso/);
    await page.waitForURL(/\/app\/settings$/);
    expect(outside.provider.state.asked.at(-1)).toMatchObject({ prompt: "login", max_age: "0" });
    await page.getByRole("button", { name: "Set up" }).click();
    await page
      .getByRole("dialog", { name: "Authenticator app" })
      .getByRole("img", { name: "QR code for the app" })
      .waitFor();
    for (const problem of problems.splice(0)) expect(problem).toMatch(/40[134]/);
    await opened.context.close();
  });

  test("a sign-in that fails, or is finished in another browser, is explained in words", async () => {
    const opened = await openPage(360);
    const { page } = opened;
    outside.provider.state.person = { sub: "stranger", email: "stranger@elsewhere.company" };
    await page.goto(`${origin}/app/`);
    await page.getByRole("button", { name: "Sign in with your company" }).click();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("you have no active account here").waitFor();
    await expectAccessible(page, "a sign-in that has failed");
    // Another fragment alone would not load the page.
    await page.goto("about:blank");
    await page.goto(`${origin}/app/sso#code=of-another-browser`);
    await page.getByText("begun in another window or browser").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await page.getByRole("link", { name: "To the sign-in page" }).click();
    await page.getByLabel("Password", { exact: true }).waitFor();
    await opened.context.close();
  });

  test("the connection is removed: passwords go on", async () => {
    const { page, problems } = user;
    await page.goto(`${origin}/app/settings?tab=sso`);
    await page.getByRole("button", { name: "Remove", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Remove single sign-on?" });
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Enter the address of your provider and save.").waitFor();
    for (const problem of problems.splice(0)) expect(problem).toContain("404");
  });
});
