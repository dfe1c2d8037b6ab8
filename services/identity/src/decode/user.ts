import type {
  AcceptInvitationRequest,
  InviteUserRequest,
  UpdateUserRequest,
} from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { limits } from "@asset-register/proto/limits";
import { capabilityNames, field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { isEmail } from "../domain/email.ts";
import { userStatusNames } from "../encode/user.ts";
import type { AcceptInvitation } from "../operations/users/accept-invitation.ts";
import type { InviteUser } from "../operations/users/invite-user.ts";
import type { UpdateUser } from "../operations/users/update-user.ts";
import { newPassword } from "./session.ts";

export const email = z.string().trim().refine(isEmail, "must be an email address");
const capabilities = z.array(field.enum(capabilityNames));

const invitation = z.object({
  email,
  name: field.text(limits.accountName),
  capabilities,
  admin: z.boolean(),
});

export function decodeInviteUser(request: InviteUserRequest): InviteUser {
  const input = parse(invitation, request);
  return { ...input, admin: input.admin || input.capabilities.includes("admin") };
}

const change = z.object({
  id: field.id(),
  name: field.text(limits.accountName).optional(),
  capabilities: capabilities.optional(),
  admin: z.boolean().optional(),
  status: field
    .enum(userStatusNames)
    .pipe(z.enum(["active", "disabled"], "must be active or disabled"))
    .optional(),
  ifRevIn: z.array(z.number()),
});

export function decodeUpdateUser(request: UpdateUserRequest): UpdateUser {
  return parse(change, { ...request, capabilities: request.capabilities?.capabilities });
}

const acceptance = z.object({
  token: z.string(),
  name: field.optionalText(limits.accountName),
  password: newPassword,
  clientAddress: z.string().optional(),
});

export function decodeAcceptInvitation(request: AcceptInvitationRequest): AcceptInvitation {
  return parse(acceptance, request);
}
