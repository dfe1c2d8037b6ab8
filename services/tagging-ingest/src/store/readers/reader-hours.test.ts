import { expect, it } from "vitest";
import { upsertsOf } from "./reader-hours.ts";

const count = (minute: number, accepted: number, duplicate = 0, rejected = {}) => ({
  ...{ minute, accepted, duplicate, rejected },
});
const activity = (...minutes: ReturnType<typeof count>[]) => ({
  ...{ workspaceId: "wsp_1", readerId: "rdr_1", accepted: 0, rejected: 0, minutes },
});

it("a flush of a reader is one upsert, which raises the hour and its minutes by the same sums", () => {
  const [upsert, ...others] = upsertsOf(
    activity(count(120, 10, 4, { A: 1, B: 2 }), count(121, 5), count(122, 2, 2)),
  );
  expect(others).toEqual([]);
  expect(upsert?.updateOne).toMatchObject({ filter: { _id: "rdr_1:2" }, upsert: true });
  expect(upsert?.updateOne.update.$inc).toEqual({
    ...{ accepted: 11, duplicate: 6, rejected: 3 },
    ...{ "minutes.0.accepted": 6, "minutes.0.duplicate": 4, "minutes.0.rejected": 3 },
    ...{ "minutes.1.accepted": 5, "minutes.2.duplicate": 2 },
  });
  expect(upsert?.updateOne.update.$setOnInsert).toEqual({
    ...{ workspaceId: "wsp_1", readerId: "rdr_1", at: new Date("1970-01-01T02:00:00.000Z") },
    minutesUntil: new Date("1970-01-03T03:00:00.000Z"),
    expiresAt: new Date("1970-04-02T00:00:00.000Z"),
  });
});

it("a flush over the end of an hour is an upsert of each hour, and without events there is none", () => {
  const ids = upsertsOf(activity(count(59, 1), count(60, 1))).map(({ updateOne }) => updateOne.filter._id);
  expect(ids).toEqual(["rdr_1:0", "rdr_1:1"]);
  expect(upsertsOf(activity())).toEqual([]);
});

it("a wrong signature is no rejected event of an hour, and makes no row", () => {
  const wrong = { READER_SIGNATURE_INVALID: 7 };
  const [upsert] = upsertsOf(activity(count(120, 0, 0, { ...wrong, MALFORMED: 1 })));
  expect(upsert?.updateOne.update.$inc).toEqual({ rejected: 1, "minutes.0.rejected": 1 });
  expect(upsertsOf(activity(count(120, 0, 0, wrong)))).toEqual([]);
});
