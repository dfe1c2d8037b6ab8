import images from "../../images.json" with { type: "json" };
import type { ServerName } from "./types.ts";

/** The pinned image of a server. deploy/compose.yaml uses the same images. */
export function imageOf(name: ServerName): string {
  return images[name];
}
