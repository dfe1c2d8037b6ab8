import { expect, test } from "vitest";
import { runOperator } from "../../src/run-operator.ts";
import { identityOfFile } from "../support.ts";
import { addTotp } from "./factors.ts";

const identity = await identityOfFile();

test("an operator resets the second factors of an admin without another admin, whose sessions end", async () => {
  const { as } = await identity.seed("mfa-operator");
  const email = "mfa-operator@example.com";
  const session = await identity.signIn(email);
  await addTotp(identity, session);
  expect(await runOperator(["user", "reset-mfa", "--email", email], identity.env)).toMatchObject({
    user: { email },
  });
  await expect(identity.verify(session.access)).rejects.toMatchObject({ kind: "unauthenticated" });
  await identity.signIn(email);
  expect(await identity.audited(as, "user.factors_reset")).toMatchObject([{ subjectId: session.userId }]);
});
