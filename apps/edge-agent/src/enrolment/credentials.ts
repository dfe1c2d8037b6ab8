import { platformReaderOf, type ReaderConfig } from "../config/schema.ts";
import type { ReaderCredentials } from "../upload/send-batch.ts";
import type { Enrolment } from "./enrolment.ts";

/**
 * The id and secret of a configured reader: from the configuration, else from the enrolment, by id or name. Undefined if
 * the platform does not know it, or knows several with its name.
 */
export function findCredentials(
  reader: ReaderConfig,
  enrolment: Enrolment | undefined,
): ReaderCredentials | undefined {
  const wanted = platformReaderOf(reader);
  if (reader.secret !== undefined) return { id: wanted, secret: reader.secret };
  const readers = enrolment?.readers ?? [];
  const [found, another] = readers.filter(({ id, name }) => id === wanted || name === wanted);
  return found === undefined || another !== undefined ? undefined : { id: found.id, secret: found.secret };
}
