/**
 * Follows the redirects of a provider as a browser does, with its cookies, until one leads to `until`. Returns the query
 * of that address.
 */
export async function browse(location: string, until: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next = location;
  for (let steps = 0; steps < 20; steps += 1) {
    if (next.startsWith(until)) return new URL(next).search.slice(1);
    const answer = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split(/=(.*)/s) ?? [];
      cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null)
      throw new Error(`${next} answers ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    next = new URL(to, next).href;
  }
  throw new Error("too many redirects");
}
