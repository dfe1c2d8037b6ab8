import { Capability } from "@asset-register/proto/assetregister/common/v1/access_pb";
import { ActorKind } from "@asset-register/proto/assetregister/common/v1/actor_pb";
import type { AuditEntry } from "@asset-register/proto/assetregister/identity/v1/audit_pb";
import { UserStatus } from "@asset-register/proto/assetregister/identity/v1/user_pb";
import { codeOf } from "@asset-register/service-harness";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { updateWorkspace } from "../../src/operations/workspaces/update-workspace.ts";
import { NO_WORKSPACE } from "../../src/store/audit-log.ts";
import { anonymous, identityOfFile, operatorOf, password } from "../support.ts";

const service = await identityOfFile();

const changesOf = ({ changes }: AuditEntry) =>
  Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]]));

describe("the audit log", () => {
  test("has an entry for each administrative change, with its actor, subject, changes and request", async () => {
    const { as, admin, workspace } = await service.seed("changes");
    const by = { ...as, requestId: "req-changes-1" };
    const { user, token } = await service.users.inviteUser(
      { email: "changes-member@example.com", name: "Grace", capabilities: [Capability.VIEW] },
      by,
    );
    const id = user?.id;
    await service.users.acceptInvitation({ token, password, clientAddress: "192.0.2.9" }, anonymous);
    await service.users.updateUser({ id, name: "Hopper", admin: true }, by);
    await service.users.updateUser({ id, status: UserStatus.DISABLED }, by);
    await service.users.updateUser({ id, status: UserStatus.DISABLED }, by);
    await service.users.updateUser({ id, status: UserStatus.ACTIVE }, by);
    await service.workspaces.updateWorkspace({ timeZone: "Asia/Tokyo", fiscalYearStart: 4 }, by);
    const { apiKey } = await service.apiKeys.createApiKey({ name: "ERP", scopes: ["assets:read"] }, by);
    await service.apiKeys.rotateApiKey({ id: apiKey?.id, overlapSeconds: 60 }, by);
    await service.apiKeys.revokeApiKey({ id: apiKey?.id }, by);
    const operator = operatorOf(workspace.id);
    await updateWorkspace(service.context, { plan: "enterprise", status: "disabled" }, operator);
    await updateWorkspace(service.context, { status: "active" }, operator);

    const entries = await service.audited(as);
    expect(entries.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ["workspace.created", workspace.id],
      ["user.invited", id],
      ["user.invitation_accepted", id],
      ["user.renamed", id],
      ["user.rights_changed", id],
      ["user.disabled", id],
      ["user.enabled", id],
      ["workspace.settings_changed", workspace.id],
      ["api_key.created", apiKey?.id],
      ["api_key.rotated", apiKey?.id],
      ["api_key.revoked", apiKey?.id],
      ["workspace.plan_changed", workspace.id],
      ["workspace.disabled", workspace.id],
      ["workspace.enabled", workspace.id],
    ]);
    const find = (action: string) => entries.find((entry) => entry.action === action)!;
    expect(find("workspace.created").actor).toMatchObject({ kind: ActorKind.OPERATOR, id: "test" });
    expect(find("user.invited")).toMatchObject({
      actor: { kind: ActorKind.USER, id: admin.id },
      requestId: "req-changes-1",
    });
    expect(find("user.invitation_accepted")).toMatchObject({
      actor: { kind: ActorKind.USER, id },
      clientAddress: "192.0.2.9",
    });
    expect(changesOf(find("user.rights_changed"))).toEqual({ capabilities: ["view", "view admin"] });
    expect(changesOf(find("workspace.settings_changed"))).toEqual({
      time_zone: ["Europe/Berlin", "Asia/Tokyo"],
      fiscal_year_start: ["1", "4"],
    });
    expect(changesOf(find("workspace.plan_changed"))).toEqual({ plan: ["business", "enterprise"] });
    expect(JSON.stringify(entries.map(({ changes }) => changes))).not.toMatch(
      /ask_live_|it_[\w-]{43}|argon2/,
    );
  });

  test("has an entry for each sign-in, failed sign-in, sign-out, revoked device and reused token", async () => {
    const { as, admin } = await service.seed("signs");
    const login = (part: { password?: string }) =>
      service.sessions.login(
        { email: "signs@example.com", password, clientAddress: "192.0.2.7", ...part },
        anonymous,
      );
    expect(await codeOf(login({ password: "wrong password" }))).toBe("UNAUTHENTICATED");
    await login({});
    const here = await service.signIn("signs@example.com");
    const gone = await service.signIn("signs@example.com");
    await service.devices.revokeDevice({ deviceUuid: gone.deviceUuid }, here.as);
    const refresh = () =>
      service.sessions.refresh({ refreshToken: here.refresh, deviceUuid: here.deviceUuid }, anonymous);
    await refresh();
    service.advance(6_000);
    expect(await codeOf(refresh())).toBe("UNAUTHENTICATED");
    const last = await service.signIn("signs@example.com");
    await service.sessions.logout({}, last.as);
    await service.sessions.logout({}, last.as);

    const entries = (await service.audited(as)).slice(1);
    expect(entries.map(({ action }) => action)).toEqual([
      "session.sign_in_failed",
      "session.signed_in",
      "session.signed_in",
      "session.signed_in",
      "device.revoked",
      "session.token_reused",
      "session.signed_in",
      "session.signed_out",
    ]);
    expect(entries[0]).toMatchObject({
      actor: { kind: ActorKind.SERVICE, id: "anonymous" },
      subjectId: admin.id,
      clientAddress: "192.0.2.7",
    });
    expect(changesOf(entries[0]!)).toEqual({ reason: [undefined, "password"] });
    expect(entries[1]).toMatchObject({
      actor: { kind: ActorKind.USER, id: admin.id },
      clientAddress: "192.0.2.7",
    });
    expect(changesOf(entries[5]!)).toEqual({
      device_uuid: [here.deviceUuid, undefined],
      reason: [undefined, "reuse"],
    });
  });

  test("has one entry for the sign-ins that a lock refuses, for each lock and client network", () =>
    service.withClockStopped(async () => {
      const { as, admin } = await service.seed("locked");
      const login = (clientAddress: string, secret = password) =>
        codeOf(
          service.sessions.login({ email: "locked@example.com", password: secret, clientAddress }, anonymous),
        );
      for (let tries = 0; tries < 5; tries += 1) {
        expect(await login(`192.0.2.${tries}`, "wrong password")).toBe("UNAUTHENTICATED");
      }
      service.advance(3_000);
      for (const address of ["192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.7"]) {
        expect(await login(address)).toBe("RATE_LIMITED");
      }
      service.advance(31_000);
      expect(await login("192.0.2.9", "wrong password")).toBe("UNAUTHENTICATED");
      service.advance(3_000);
      expect(await login("192.0.2.7")).toBe("RATE_LIMITED");

      const entries = await service.audited(as, "session.sign_in_failed");
      const locked = entries.filter((entry) => changesOf(entry).reason?.[1] === "locked");
      expect(locked.map(({ clientAddress }) => clientAddress)).toEqual([
        "192.0.2.7",
        "192.0.2.8",
        "192.0.2.7",
      ]);
      expect(locked[0]).toMatchObject({
        actor: { kind: ActorKind.SERVICE, id: "anonymous" },
        subjectId: admin.id,
      });
      const until = (index: number) => changesOf(locked[index]!).locked_until?.[1];
      expect(until(0)).toBe(changesOf(entries[4]!).locked_until?.[1]);
      expect(until(2)).not.toBe(until(0));
    }));

  test("has one entry for refused acceptances of an invitation, and none that discloses an account", async () => {
    const { as } = await service.seed("refusals");
    await service.seed("refusals-elsewhere");
    const accept = (token: string, clientAddress: string) =>
      codeOf(service.users.acceptInvitation({ token, password, clientAddress }, anonymous));
    const invite = (email: string) => service.users.inviteUser({ email, name: "Grace" }, as);
    const spent = await invite("refusals-grace@example.com");
    expect(await accept(spent.token, "192.0.2.7")).toBeUndefined();
    for (const address of ["192.0.2.7", "192.0.2.7", "192.0.2.8"]) {
      expect(await accept(spent.token, address)).toBe("VALIDATION_FAILED");
    }
    const cancelled = await invite("refusals-cancelled@example.com");
    await service.users.updateUser({ id: cancelled.user?.id, status: UserStatus.DISABLED }, as);
    expect(await accept(cancelled.token, "192.0.2.7")).toBe("VALIDATION_FAILED");
    const { token } = await invite("refusals-elsewhere@example.com");
    expect(await accept(token, "192.0.2.7")).toBe("VALIDATION_FAILED");
    expect(await accept("it_nobody", "192.0.2.70")).toBe("VALIDATION_FAILED");

    const entries = await service.audited(as, "user.invitation_refused");
    expect(entries.map(({ subjectId, clientAddress }) => [subjectId, clientAddress])).toEqual([
      [spent.user?.id, "192.0.2.7"],
      [spent.user?.id, "192.0.2.8"],
      [cancelled.user?.id, "192.0.2.7"],
    ]);
    expect(entries.map((entry) => changesOf(entry).reason?.[1])).toEqual([
      "accepted",
      "accepted",
      "cancelled",
    ]);
    const { auditLog } = service.context.stores;
    const action = "user.invitation_refused";
    const nobodys = (await auditLog.list(NO_WORKSPACE, { action }, { page: 1, limit: 10 })).items;
    expect(nobodys.map(({ subjectId, changes }) => [subjectId, changes[0]?.after])).toEqual([
      [undefined, "account"],
      [undefined, "unknown"],
    ]);
  });

  test("has no entry for a change that failed: both are one transaction", async () => {
    const { as, admin } = await service.seed("failed");
    expect(await codeOf(service.users.updateUser({ id: admin.id, admin: false }, as))).toBe("LAST_ADMIN");
    const stale = service.workspaces.updateWorkspace({ name: "x", ifRevIn: [9] }, as);
    expect(await codeOf(stale)).toBe("PRECONDITION_FAILED");
    expect((await service.audited(as)).map(({ action }) => action)).toEqual(["workspace.created"]);
  });

  test("has one entry for a request that came twice with one Idempotency-Key", async () => {
    const { as } = await service.seed("keyed");
    const keyed = { ...as, idempotencyKey: "audit-0001" };
    const request = { name: "ERP", scopes: ["assets:read"] };
    await service.apiKeys.createApiKey(request, keyed);
    await service.apiKeys.createApiKey(request, keyed);
    expect(await service.audited(as, "api_key.created")).toHaveLength(1);
  });

  test("can be read by admins only, and only that of their own workspace", async () => {
    const { as } = await service.seed("mine");
    const stranger = await service.seed("mine-stranger");
    const member = await service.member(as, "mine-member@example.com", ["view", "manage", "audit"]);
    await expect(service.audited(member.as)).rejects.toMatchObject({ kind: "forbidden" });
    expect((await service.audited(stranger.as)).map(({ action }) => action)).toEqual(["workspace.created"]);
  });

  test("is filtered by actor, action and time, and has pages", async () => {
    const { as, admin } = await service.seed("filter");
    const start = service.context.now();
    for (const name of ["a", "b", "c"]) {
      service.advance(60_000);
      await service.workspaces.updateWorkspace({ name }, as);
    }
    const ask = (part: Parameters<typeof service.audit.listAuditLog>[0]) =>
      service.audit.listAuditLog(part, as);
    const names = ({ entries }: { entries: AuditEntry[] }) =>
      entries.map((entry) => changesOf(entry).name?.[1]);

    expect(names(await ask({ actorId: admin.id }))).toEqual(["a", "b", "c"]);
    expect(names(await ask({ action: "workspace.settings_changed" }))).toEqual(["a", "b", "c"]);
    expect((await ask({ actorId: "usr_nobody" })).entries).toEqual([]);
    expect((await ask({ action: "user.disabled" })).page).toMatchObject({ total: 0 });

    const all = (await ask({ actorId: admin.id })).entries;
    const from = all[1]?.at;
    const to = all[2]?.at;
    expect(names(await ask({ from }))).toEqual(["b", "c"]);
    expect(names(await ask({ from, to }))).toEqual(["b"]);
    expect(names(await ask({ actorId: admin.id, to }))).toEqual(["a", "b"]);
    const before = timestampFromDate(new Date(start.getTime() - 3_600_000));
    expect((await ask({ to: before })).entries).toEqual([]);

    const first = await ask({ actorId: admin.id, page: { limit: 2 } });
    expect(names(first)).toEqual(["a", "b"]);
    expect(first.page).toMatchObject({ total: 3, limit: 2 });
    const second = await ask({ actorId: admin.id, page: { limit: 2, cursor: first.page?.nextCursor } });
    expect(names(second)).toEqual(["c"]);
    expect(second.page?.nextCursor).toBeUndefined();
  });
});
