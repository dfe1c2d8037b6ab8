import type { onSendHookHandler } from "fastify";
import fp from "fastify-plugin";
import type { Deprecation } from "../http/routes.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Every answer of a route that goes away says so, its errors too (RFC 9745, RFC 8594). */
export const deprecations = fp(async (app) => {
  app.addHook("onRoute", (route) => {
    const deprecated = route.config?.deprecated;
    if (deprecated === undefined) return;
    const headers = headersOf(deprecated, `Route ${String(route.method)} ${route.url}`);
    const announce: onSendHookHandler = (_request, reply, payload, done) => {
      reply.headers(headers);
      done(null, payload);
    };
    route.onSend = [route.onSend ?? [], announce].flat();
  });
});

/** @throws Error at boot, naming the route, when it leaves less than six months */
function headersOf({ since, sunset, link, successor }: Deprecation, route: string): Record<string, string> {
  const [from, end] = [dayOf(since, route), dayOf(sunset, route)];
  const earliest = new Date(from);
  earliest.setUTCMonth(earliest.getUTCMonth() + 6);
  if (end < earliest) throw new Error(`${route} goes away less than six months after it was deprecated`);
  const links = [
    ...(link === undefined ? [] : [`<${link}>; rel="deprecation"; type="text/html"`]),
    ...(successor === undefined ? [] : [`<${successor}>; rel="successor-version"`]),
  ];
  return {
    deprecation: `@${from.getTime() / 1000}`,
    sunset: end.toUTCString(),
    ...(links.length > 0 && { link: links.join(", ") }),
  };
}

function dayOf(text: string, route: string): Date {
  const day = new Date(DAY.test(text) ? text : Number.NaN);
  // The 31st of February parses, as a day in March.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  if (!isDay) throw new Error(`${route} is deprecated by "${text}", which is no day`);
  return day;
}
