/**
 * All checks of one ingest call, in one round trip to Redis.
 *
 * KEYS: the version keys of R readers, their limit keys, then the claim keys.
 *
 * ARGV:
 * - R, the life of an unfinished claim and of a version in ms, the limit's interval and burst in microseconds, and
 *   whether all items are of one request
 * - for each reader: the version of its cached secret, and whether that was loaded in this call
 * - for each item: the index of its reader, whether its signature is valid, the indexes of its claim key and its second
 *   key (0: none), and the token of its claim
 *
 * Returns { code, detail, value of the second key } for each item:
 *
 * | Code    | Meaning                                           | Detail                    |
 * | ------- | ------------------------------------------------- | ------------------------- |
 * | stale   | load the secret and ask again                     |                           |
 * | refused | the signature is wrong and the secret is current  |                           |
 * | limited | the reader is over its limit                      | microseconds to wait      |
 * | taken   | the claim key exists                              | its value                 |
 * | new     | the claim key was set                             |                           |
 *
 * Nothing is written for an item with a wrong signature. So a caller without the secret can't use up the limit or the
 * nonces of a reader.
 */
export const INGEST_SCRIPT = `
local readers = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval, burst = tonumber(ARGV[4]), tonumber(ARGV[5])
local once = ARGV[6] == '1'
local current, tat, wait, changed = {}, {}, {}, {}
for r = 1, readers do
  local expected, fresh = ARGV[5 + 2 * r], ARGV[6 + 2 * r] == '1'
  local stored = redis.call('GET', KEYS[r])
  if stored == expected then
    current[r] = true
  elseif fresh then
    if stored == 'x' then
      current[r] = true
    elseif not stored or tonumber(stored) < tonumber(expected) then
      redis.call('SET', KEYS[r], expected, 'PX', ARGV[3])
      current[r] = true
    end
  end
end
local answers = {}
local at = 7 + 2 * readers
while ARGV[at] do
  local r = tonumber(ARGV[at])
  local claim, extra = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local code, detail, second = 'new', '', ''
  if not current[r] then
    code = 'stale'
  elseif ARGV[at + 1] ~= '1' then
    code = 'refused'
  else
    if not tat[r] then
      tat[r] = math.max(tonumber(redis.call('GET', KEYS[readers + r]) or '0'), now)
    end
    if not (once and wait[r]) then
      wait[r] = math.max(tat[r] + interval - now - burst, 0)
      if wait[r] == 0 then
        tat[r] = tat[r] + interval
        changed[r] = true
      end
    end
    if wait[r] > 0 then
      code, detail = 'limited', string.format('%.0f', wait[r])
    else
      if claim > 0 then
        local held = redis.call('GET', KEYS[claim])
        if held then
          code, detail = 'taken', held
        else
          redis.call('SET', KEYS[claim], ARGV[at + 4], 'PX', ARGV[2])
        end
      end
      if extra > 0 then second = redis.call('GET', KEYS[extra]) or '' end
    end
  end
  answers[#answers + 1] = { code, detail, second }
  at = at + 5
end
for r in pairs(changed) do
  redis.call('SET', KEYS[readers + r], string.format('%.0f', tat[r]), 'PX', math.ceil((tat[r] - now) / 1000) + 1)
end
return answers
`;

/** Sets each of KEYS to its ARGV, for ARGV[1] ms. One command, because the client's cost is by the command. */
export const FINISH_SCRIPT = `
for index, key in ipairs(KEYS) do
  redis.call('SET', key, ARGV[index + 1], 'PX', ARGV[1])
end
`;
