import { loadConfig } from "../config/load.ts";
import { PAGE_USER } from "../page/page-server.ts";
import type { Command } from "./command.ts";

/** Prints what the page of the running agent shows. */
export const status =
  (asJson: boolean): Command =>
  async ({ env, file, print }) => {
    const { address, password } = loadConfig(file, env).page;
    const host = address.host.includes(":") ? `[${address.host}]` : address.host;
    // The address for all interfaces is none to connect to.
    const reachable = host === "0.0.0.0" || host === "[::]" ? "127.0.0.1" : host;
    const headers: Record<string, string> =
      password === undefined ? {} : { authorization: `Basic ${btoa(`${PAGE_USER}:${password}`)}` };
    const url = `http://${reachable}:${address.port}/status.${asJson ? "json" : "txt"}`;
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.status !== 200) {
      print(`The agent does not answer on ${reachable}:${address.port}. Is it running?`);
      return 1;
    }
    print((await response.text()).trimEnd());
    return 0;
  };
