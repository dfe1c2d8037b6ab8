import type { onSendHookHandler } from "fastify";
import fp from "fastify-plugin";
import type { Deprecation } from "../http/routes.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Sets Deprecation, Sunset and Link on every response of a deprecated route, errors included (RFC 9745, RFC 8594). */
export const deprecations = fp(async (app) => {
  app.addHook("onRoute", (route) => {
    const deprecated = route.config?.deprecated;
    if (deprecated === undefined) return;
    const headers = headersOf(deprecated, `Route ${String(route.method)} ${route.url}`);
    const setHeaders: onSendHookHandler = (_request, reply, payload, done) => {
      reply.headers(headers);
      done(null, payload);
    };
    route.onSend = [route.onSend ?? [], setHeaders].flat();
  });
});

/** @throws Error at boot, which names the route, when a day is invalid or the sunset is less than six months later */
function headersOf({ since, sunset, link, successor }: Deprecation, route: string): Record<string, string> {
  const [from, end] = [dayOf(since, route), dayOf(sunset, route)];
  const earliest = new Date(from);
  earliest.setUTCMonth(earliest.getUTCMonth() + 6);
  if (end < earliest) throw new Error(`${route} has its sunset less than six months after its deprecation`);
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
  // Date parses the 31st of February as a day in March.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  if (!isDay)
    throw new Error(`${route} is deprecated with the date "${text}", which is not a day such as 2026-01-31`);
  return day;
}
