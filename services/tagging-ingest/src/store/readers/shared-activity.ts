import { mapBySlot, type RedisClient } from "@asset-register/redis";
import { z } from "zod";
import { addObserved, type Observed } from "../../domain/readers/reader-activity.ts";
import { ingestKey } from "../ingest/ingest-key.ts";
import { scriptOf } from "../ingest/script.ts";
import type { Activity } from "./readers.ts";

/** The activity that this replica has to write of a reader: that of all replicas, later, or nothing. */
export type Turn = Activity | "later" | "nothing";

/** Activity that no replica fetches ends after this time. */
const LIFE_MS = 600_000;

/**
 * KEYS: for each reader the list of its activities and its turn. ARGV: the life of a turn (0: each call has it) and of a
 * list in ms, then the activity of each reader, or ''. Returns for each reader all of its activities when it has the turn,
 * else whether some are left.
 */
const SHARE_SCRIPT = `
local answers = {}
for index = 1, #KEYS, 2 do
  local list, turn, activity = KEYS[index], KEYS[index + 1], ARGV[(index + 1) / 2 + 2]
  if activity ~= '' then
    redis.call('RPUSH', list, activity)
    redis.call('PEXPIRE', list, ARGV[2])
  end
  if redis.call('EXISTS', list) == 0 then
    answers[#answers + 1] = { 'nothing' }
  elseif ARGV[1] == '0' or redis.call('SET', turn, '1', 'NX', 'PX', ARGV[1]) then
    local all = redis.call('LRANGE', list, 0, -1)
    redis.call('DEL', list)
    table.insert(all, 1, 'own')
    answers[#answers + 1] = all
  else
    answers[#answers + 1] = { 'later' }
  end
end
return answers
`;

const answersSchema = z.array(z.tuple([z.enum(["nothing", "own", "later"])], z.string()));

const observedSchema = z.object({
  at: z.coerce.date().optional(),
  accepted: z.int(),
  rejected: z.int(),
  skewMs: z.number().optional(),
  minutes: z.array(
    z.object({
      minute: z.int(),
      accepted: z.int(),
      // A replica of the release before does not count repeats.
      duplicate: z.int().default(0),
      rejected: z.record(z.string(), z.int()),
    }),
  ),
  delays: z.array(z.object({ minute: z.int(), reads: z.int(), leastMs: z.number() })),
});

/**
 * Collects the activity of readers from all replicas, so that one of them writes it: each replica hears each reader, and
 * the writes would multiply by their number.
 */
export function createSharedActivity(redis: RedisClient) {
  const shareScript = scriptOf(redis, SHARE_SCRIPT);
  return {
    /**
     * Adds these activities. Returns, for each of their readers, what all replicas have added, if it is this replica's turn
     * to write it. `turnMs`: for so long no other replica has a turn; with 0 this one has it now.
     * @throws Error when Redis does not answer in time
     */
    async share(activities: readonly Activity[], turnMs: number): Promise<Turn[]> {
      const turns = await mapBySlot(
        redis,
        activities,
        ({ workspaceId }) => workspaceId,
        (group) => shareOfSlot(group, turnMs),
      );
      return activities.map((_, at) => turns[at] ?? "nothing");
    },
  };

  async function shareOfSlot(activities: readonly Activity[], turnMs: number): Promise<Turn[]> {
    const keys = activities.flatMap(({ workspaceId, readerId }) => [
      ingestKey(workspaceId, `activity:${readerId}`),
      ingestKey(workspaceId, `activity-turn:${readerId}`),
    ]);
    const texts = activities.map((one) => (isEmpty(one) ? "" : JSON.stringify(observedOf(one))));
    const answers = answersSchema.parse(await shareScript(keys, [turnMs, LIFE_MS, ...texts]));
    return activities.map(({ workspaceId, readerId }, at) => {
      const [turn, ...shared] = answers[at] ?? ["nothing"];
      if (turn !== "own") return turn;
      const observed: Observed[] = shared.map((text) => observedSchema.parse(JSON.parse(text)));
      return { workspaceId, readerId, ...observed.reduce(addObserved) };
    });
  }
}

const isEmpty = ({ at, accepted, rejected, minutes = [] }: Activity): boolean =>
  at === undefined && accepted === 0 && rejected === 0 && minutes.length === 0;

const observedOf = ({ at, accepted, rejected, skewMs, minutes = [], delays = [] }: Activity): Observed => ({
  ...{ at, accepted, rejected, skewMs, minutes, delays },
});
