import { newId } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { openContext } from "../context.ts";

test("one workspace has 50 due mails, another one: the other's is claimed within its turn", async () => {
  const { mongo, stores } = await openContext({
    send: async () => ({ error: "nothing is sent here", durationMs: 0 }),
    close: async () => undefined,
  });
  const [many, one] = [newId("wsp"), newId("wsp")];
  const mail = { ruleId: newId("rul"), to: ["a@example.com"], subject: "Alert", text: "Alert", html: "" };
  const add = (workspaceId: string, count: number) =>
    mongo.transaction({}, (session) =>
      stores.mails.add(
        workspaceId,
        Array.from({ length: count }, () => mail),
        session,
      ),
    );
  const claim = async () => (await stores.mails.claimNext(60_000))?.mail.workspaceId;
  await add(many, 50);
  expect(await claim()).toBe(many);
  await add(one, 1);
  expect([await claim(), await claim()].sort()).toEqual([many, one].sort());
  const rest: (string | undefined)[] = [];
  for (let n = 0; n < 49; n += 1) rest.push(await claim());
  expect(rest.filter((id) => id === many)).toHaveLength(48);
  expect(rest.at(-1)).toBeUndefined();
  await mongo.close();
});
