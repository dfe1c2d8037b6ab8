// A preload (--import) that moves the clock of this process by the milliseconds in a file. Timers and performance.now do
// not move: only the wall clock of a machine can be wrong.
import { readFileSync } from "node:fs";

const file = `${process.env.MOVED_CLOCKS}/${process.pid}`;
const RealDate = Date;
const realNow = Date.now;
let offsetMs = 0;

setInterval(() => {
  try {
    offsetMs = Number(readFileSync(file, "utf8"));
  } catch {
    offsetMs = 0;
  }
}, 500).unref();

const now = (): number => realNow() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
