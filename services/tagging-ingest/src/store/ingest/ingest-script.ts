/**
 * All checks of one ingest call, in one round trip to Redis.
 *
 * KEYS: the version keys of R readers, their limit keys, the quota keys of W workspaces, the keys of their rates while
 * the worker lags, the limit keys for these rates, then the claim keys.
 *
 * ARGV:
 * - R, W, the life of an unfinished claim and of a version in ms, the limit's interval and burst in microseconds, and
 *   whether all items are of one request
 * - for each reader: the version of its cached secret, whether that was loaded in this call, and the index of its
 *   workspace
 * - for each workspace: the interval and the burst of its quota in microseconds
 * - for each item: the index of its reader, whether its signature is valid, the indexes of its claim key and its second
 *   key (0: none), the token of its claim, and the number of its events
 *
 * Returns { code, detail, value of the second key } for each item:
 *
 * | Code    | Meaning                                           | Detail                    |
 * | ------- | ------------------------------------------------- | ------------------------- |
 * | stale   | load the secret and ask again                     |                           |
 * | refused | the signature is wrong and the secret is current  |                           |
 * | limited | the reader is over its limit                      | microseconds to wait      |
 * | quota   | the workspace is over its quota                   | microseconds to wait      |
 * | taken   | the claim key exists                              | its value                 |
 * | new     | the claim key was set                             |                           |
 *
 * Nothing is written for an item with a wrong signature, and a repeat costs no quota. So a caller without the secret
 * can't use up the limit, the quota or the nonces of a reader.
 *
 * A request with more events than a burst is admitted when nothing else is owed. Otherwise it would never be.
 */
export const INGEST_SCRIPT = `
local readers, workspaces = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local interval, burst = tonumber(ARGV[5]), tonumber(ARGV[6])
local once = ARGV[7] == '1'
local firstItem = 8 + 3 * readers + 2 * workspaces
local current, wait, tat, changed = {}, {}, {}, {}
for r = 1, readers do
  local expected, fresh = ARGV[5 + 3 * r], ARGV[6 + 3 * r] == '1'
  local stored = redis.call('GET', KEYS[r])
  if stored == expected then
    current[r] = true
  elseif fresh then
    if stored == 'x' then
      current[r] = true
    elseif not stored or tonumber(stored) < tonumber(expected) then
      redis.call('SET', KEYS[r], expected, 'PX', ARGV[4])
      current[r] = true
    end
  end
end
local function waitOf(key, cost, interval, burst)
  if not tat[key] then
    tat[key] = math.max(tonumber(redis.call('GET', KEYS[key]) or '0'), now)
  end
  return math.max(tat[key] + math.min(cost * interval, burst) - now - burst, 0)
end
local function charge(key, cost, interval)
  if cost == 0 then return end
  tat[key] = tat[key] + cost * interval
  changed[key] = true
end
local slow = {}
local function admit(w, cost)
  local args = 6 + 3 * readers + 2 * w
  local every, most = tonumber(ARGV[args]), tonumber(ARGV[args + 1])
  local quota = 2 * readers + w
  if slow[w] == nil then
    local rate = redis.call('GET', KEYS[quota + workspaces])
    slow[w] = rate and 1000000 / tonumber(rate)
  end
  local quotaWait, slowWait = waitOf(quota, cost, every, most), 0
  local slowKey = quota + 2 * workspaces
  if slow[w] then slowWait = waitOf(slowKey, cost, slow[w], 1000000) end
  if quotaWait == 0 and slowWait == 0 then
    charge(quota, cost, every)
    if slow[w] then charge(slowKey, cost, slow[w]) end
  end
  return math.max(quotaWait, slowWait)
end
local owner, total, quotaWait = {}, {}, {}
for r = 1, readers do owner[r] = tonumber(ARGV[7 + 3 * r]) end
if once then
  for at = firstItem, #ARGV, 6 do
    local r, claim = tonumber(ARGV[at]), tonumber(ARGV[at + 2])
    if current[r] and ARGV[at + 1] == '1' and (claim == 0 or redis.call('EXISTS', KEYS[claim]) == 0) then
      local w = owner[r]
      total[w] = (total[w] or 0) + tonumber(ARGV[at + 5])
    end
  end
end
local answers = {}
for at = firstItem, #ARGV, 6 do
  local r = tonumber(ARGV[at])
  local claim, extra = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local code, detail, second = 'new', '', ''
  if not current[r] then
    code = 'stale'
  elseif ARGV[at + 1] ~= '1' then
    code = 'refused'
  else
    local w = owner[r]
    if not (once and wait[r]) then
      wait[r] = waitOf(readers + r, 1, interval, burst)
      if wait[r] == 0 then charge(readers + r, 1, interval) end
    end
    local held = claim > 0 and redis.call('GET', KEYS[claim])
    if wait[r] > 0 then
      code, detail = 'limited', string.format('%.0f', wait[r])
    elseif held then
      code, detail = 'taken', held
    else
      if not (once and quotaWait[w]) then
        quotaWait[w] = admit(w, once and total[w] or tonumber(ARGV[at + 5]))
      end
      if quotaWait[w] > 0 then
        code, detail = 'quota', string.format('%.0f', quotaWait[w])
      elseif claim > 0 then
        redis.call('SET', KEYS[claim], ARGV[at + 4], 'PX', ARGV[3])
      end
    end
    if extra > 0 and (code == 'new' or code == 'taken') then second = redis.call('GET', KEYS[extra]) or '' end
  end
  answers[#answers + 1] = { code, detail, second }
end
for key in pairs(changed) do
  redis.call('SET', KEYS[key], string.format('%.0f', tat[key]), 'PX', math.ceil((tat[key] - now) / 1000) + 1)
end
return answers
`;

/** Sets each of KEYS to its ARGV, for ARGV[1] ms. One command, because the client's cost is by the command. */
export const FINISH_SCRIPT = `
for index, key in ipairs(KEYS) do
  redis.call('SET', key, ARGV[index + 1], 'PX', ARGV[1])
end
`;
