import { loadConfig } from "../config/load.ts";
import { PAGE_USER } from "../page/page-server.ts";
import type { Command } from "./command.ts";
import { requestPage } from "./page-request.ts";

/** Prints what the page of the running agent shows. */
export const status =
  (asJson: boolean): Command =>
  async ({ env, file, print }) => {
    const { page } = loadConfig(file, env);
    const { address, password } = page;
    const headers: Record<string, string> =
      password === undefined ? {} : { authorization: `Basic ${btoa(`${PAGE_USER}:${password}`)}` };
    const response = await requestPage(page, `/status.${asJson ? "json" : "txt"}`, { headers });
    if (response?.status !== 200) {
      print(`The agent does not answer on ${address.host}:${address.port}. Is it running?`);
      return 1;
    }
    print((await response.text()).trimEnd());
    return 0;
  };
