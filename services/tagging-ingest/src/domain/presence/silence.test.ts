import { expect, test } from "vitest";
import { newReader, type Reader } from "../readers/reader.ts";
import { judgeSilence } from "./silence.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const dueAt = Date.UTC(2026, 0, 1);
const horizon = dueAt + 10 * MINUTE;

/** A portal that was heard last at a time relative to when its tag was due. */
function portal(id: string, heardMs: number, more: Partial<Reader> = {}): Reader {
  const fields = { name: id, kind: "fixed_portal", autoMove: false } as const;
  const given = { id, workspaceId: "wsp_1", secret: {} as never, at: new Date(0) };
  return { ...newReader(fields, given), lastSeenAt: new Date(dueAt + heardMs), ...more };
}

const alive = portal("rdr_alive", MINUTE);
const dead = portal("rdr_dead", -MINUTE);
const revoked = portal("rdr_revoked", -MINUTE, { status: "revoked", revokedAt: new Date(dueAt - MINUTE) });

const judge = (judges: Reader[], { others = [] as Reader[], at = horizon } = {}) =>
  judgeSilence({ dueAt, judges, others, listenMs: 30_000 }, at);

test("one reader that was heard after the silence: the tag leaves, whatever the others are", () => {
  expect(judge([alive])).toEqual({ kind: "leaves" });
  expect(judge([dead, revoked, alive])).toEqual({ kind: "leaves" });
  // It was heard before it was revoked.
  expect(judge([portal("r", MINUTE, { status: "revoked" })])).toEqual({ kind: "leaves" });
});

test("a reader that is back for less than 30 s has not had time to read its tags", () => {
  const back = portal("rdr_back", 9 * MINUTE + 59_000, { aliveSince: new Date(horizon - 20_000) });
  expect(judge([back])).toEqual({ kind: "stays" });
});

test("readers that are silent for less than a minute: nothing is known yet", () => {
  expect(judge([dead], { at: dueAt - 1_000 })).toEqual({ kind: "stays" });
});

test("all silent and not revoked: it is suspended, and leaves after 7 days without alerts", () => {
  const suspended = { since: dueAt, until: dueAt + 7 * DAY, readerIds: ["rdr_dead"] };
  expect(judge([dead])).toEqual({ kind: "suspended", suspended });
  // The revoked one can't come back.
  expect(judge([dead, revoked])).toEqual({ kind: "suspended", suspended });
  expect(judge([dead], { at: dueAt + 7 * DAY })).toEqual({ kind: "leaves", reason: "reader_gone" });
});

test("all revoked: another portal of the zone judges", () => {
  expect(judge([revoked], { others: [revoked, alive] })).toEqual({ kind: "leaves" });
  expect(judge([revoked], { others: [dead] })).toMatchObject({
    kind: "suspended",
    suspended: { readerIds: ["rdr_dead"] },
  });
  // As long as a reader that read the tag may come back, others say nothing.
  expect(judge([dead], { others: [alive] })).toMatchObject({ kind: "suspended" });
});

test("all revoked and no other portal: it leaves 24 h after the revocation, without alerts", () => {
  const revokedAt = dueAt + 3 * MINUTE;
  const later = portal("rdr_2", -MINUTE, { status: "revoked", revokedAt: new Date(revokedAt) });
  expect(judge([later, revoked], { others: [later, revoked] })).toEqual({
    kind: "suspended",
    suspended: { since: dueAt, until: revokedAt + DAY, readerIds: [] },
  });
  expect(judge([later], { at: revokedAt + DAY })).toEqual({ kind: "leaves", reason: "reader_gone" });
});
