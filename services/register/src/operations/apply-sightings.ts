import { newestOfEach, type Sighting } from "../domain/sighting.ts";
import type { Register } from "../register.ts";

/** Moves last_seen forwards, in one bulk write for a batch; a late sighting changes nothing. */
export async function applySightings({ stores }: Register, sightings: Sighting[]): Promise<void> {
  await stores.assets.observe(newestOfEach(sightings));
}
