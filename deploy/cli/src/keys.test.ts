import { createServiceIdentity } from "@asset-register/rpc";
import { createKeyring, keyringSchema } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { type AllKeys, createKeys, rotateKeys, type Step } from "./keys.ts";

const created = createKeys(["identity", "register"]);
const steps: AllKeys[] = [created];
for (const step of ["add", "use", "remove"] as const) steps.push(rotateKeys(steps.at(-1)!, step));
const [, added, used, removed] = steps;

const identityOf = (name: string, keys: AllKeys) =>
  createServiceIdentity({
    name,
    privateKeyPem: keys[name]!.SERVICE_PRIVATE_KEY!,
    trustedKeys: JSON.parse(keys[name]!.TRUSTED_KEYS!),
  });
const keyringOf = (keys: AllKeys) => createKeyring(keyringSchema.parse(JSON.parse(keys.register!.KEYRING!)));
const place = { service: "register", collection: "things", recordId: "1" };
const principal = { kind: "service", name: "register" } as const;

test.each([0, 1, 2])(
  "processes with the keys before and after step %i of a rotation trust each other and decrypt each other's secrets",
  async (index) => {
    const around = [steps[index]!, steps[index + 1]!];
    for (const caller of around)
      for (const called of around) {
        const token = await identityOf("register", caller).tokenFor(principal, "gateway");
        expect(await identityOf("gateway", called).verify(token, "gateway")).toMatchObject(principal);
        const sealed = keyringOf(caller).encrypt("secret", place);
        expect(keyringOf(called).decrypt(sealed, place).toString()).toBe("secret");
      }
  },
);

test("after the rotation every key is another one, and the first ones are of no use", async () => {
  for (const [name, keys] of Object.entries(removed!)) {
    expect(keys.SERVICE_PRIVATE_KEY).not.toBe(created[name]!.SERVICE_PRIVATE_KEY);
    expect(keys).not.toHaveProperty("NEXT_PRIVATE_KEY");
  }
  const token = await identityOf("register", created).tokenFor(principal, "gateway");
  await expect(identityOf("gateway", removed!).verify(token, "gateway")).rejects.toMatchObject({
    code: "SERVICE_TOKEN_REFUSED",
  });
  const sealed = keyringOf(created).encrypt("secret", place);
  expect(() => keyringOf(removed!).decrypt(sealed, place)).toThrow(/lacks the key/);
  expect(removed!.identity!.TOKEN_PEPPER).toBe(created.identity!.TOKEN_PEPPER);
});

test.each([
  ["use", created],
  ["add", added!],
  ["remove", added!],
  ["use", used!],
] as [Step, AllKeys][])("the step %s is refused out of turn", (step, keys) => {
  expect(() => rotateKeys(keys, step)).toThrow(/step|rotation/);
});

test("the gateway has no keyring, and each service one of its own", () => {
  expect(created.gateway).not.toHaveProperty("KEYRING");
  expect(created.register!.KEYRING).not.toBe(created.identity!.KEYRING);
});
