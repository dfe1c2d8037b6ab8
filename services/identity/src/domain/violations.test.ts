import { expect, test } from "vitest";
import { checkDevice } from "./device.ts";
import { checkEmail } from "./email.ts";
import { checkAcceptance } from "./user.ts";
import { text } from "./violations.ts";

/** One character, two units of UTF-16, four bytes of UTF-8. */
const letter = "𝄞";
const device = { deviceUuid: "", label: "", platform: "", appVersion: "" };

test("lengths are in characters, as the gateway counts them", () => {
  expect(text("name", ` ${letter.repeat(100)} `, 100)).toEqual([]);
  expect(text("name", letter.repeat(101), 100)).toHaveLength(1);
  expect(checkDevice({ ...device, label: letter.repeat(100) })).toEqual([]);
  expect(checkDevice({ ...device, label: letter.repeat(101) })).toHaveLength(1);
  const password = "correct horse battery";
  expect(checkAcceptance({ name: letter.repeat(100), password }, "a@b.co")).toEqual([]);
  expect(checkAcceptance({ name: letter.repeat(101), password }, "a@b.co")).toHaveLength(1);
  const host = `${letter.repeat(187)}.co`;
  expect(checkEmail("email", `${letter.repeat(63)}@${host}`)).toEqual([]);
  expect(checkEmail("email", `${letter.repeat(64)}@${host}`)).toHaveLength(1);
});
