import {
  ChangePasswordRequestSchema,
  LoginRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/session_pb";
import {
  AcceptInvitationRequestSchema,
  InviteUserRequestSchema,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { decodeChangePassword, decodeLogin } from "./session.ts";
import { decodeAcceptInvitation, decodeInviteUser } from "./user.ts";

/** One character: two units of UTF-16, four bytes of UTF-8. */
const letter = "𝄞";
const password = "correct horse battery";
const email = "ana@example.org";

const signIn = (label: string) => decodeLogin(create(LoginRequestSchema, { email, password, label }));
const accept = (name: string) =>
  decodeAcceptInvitation(create(AcceptInvitationRequestSchema, { name, password }));
const invite = (part: { name?: string; email?: string }) =>
  decodeInviteUser(create(InviteUserRequestSchema, { name: "Ana", email, ...part }));
const change = (newPassword: string) =>
  decodeChangePassword(create(ChangePasswordRequestSchema, { currentPassword: password, newPassword }));

const refusedFor = (field: string) =>
  expect.objectContaining({ violations: [expect.objectContaining({ field })] });

test("names and device texts may have 100 characters, counted as the gateway counts them", () => {
  expect(invite({ name: ` ${letter.repeat(100)} ` }).name).toBe(letter.repeat(100));
  expect(() => invite({ name: letter.repeat(101) })).toThrow(refusedFor("name"));
  expect(accept(letter.repeat(100)).name).toBe(letter.repeat(100));
  expect(() => accept(letter.repeat(101))).toThrow(refusedFor("name"));
  expect(signIn(letter.repeat(100)).label).toBe(letter.repeat(100));
  expect(() => signIn(letter.repeat(101))).toThrow(refusedFor("label"));
});

test("an email may have 254 characters", () => {
  const host = `${letter.repeat(187)}.co`;
  const longest = `${letter.repeat(63)}@${host}`;
  expect(invite({ email: longest }).email).toBe(longest);
  expect(() => invite({ email: `${letter.repeat(64)}@${host}` })).toThrow(refusedFor("email"));
});

test("a new password has 12 to 128 characters", () => {
  for (const right of ["twelve chars", "x".repeat(128), letter.repeat(12), letter.repeat(128)]) {
    expect(change(right).newPassword).toBe(right);
  }
  for (const wrong of ["eleven char", "x".repeat(129), letter.repeat(11), letter.repeat(129)]) {
    expect(() => change(wrong)).toThrow(refusedFor("new_password"));
  }
});
