import { AppError, createPauses } from "@asset-register/runtime";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const WHITE_SPACE = [0x20, 0x09, 0x0a, 0x0d];

/** Of one item. The largest valid asset has 0.3 MiB, if each of its characters is written as an escape. */
const MAX_ITEM_BYTES = 512 * 1024;
/** Of everything outside of lists. */
const MAX_FRAME_BYTES = 16 * 1024;

type ListBody = {
  /** The field that is the list. */
  list: string;
  /** After one item more it stops: the schema refuses the list. */
  maxItems: number;
  /** @throws AppError MALFORMED */
  parse: (text: Buffer) => unknown;
};

/**
 * Parses a JSON body with one long list, item by item with pauses: JSON.parse needs 0.3 s for 8 MiB of names, in which
 * nobody else would be served. The result is that of parsing it at once, but that other lists are empty: the schema
 * must not have any.
 *
 * @throws AppError MALFORMED; PAYLOAD_TOO_LARGE when an item, or what is not in the list, is too large
 */
export async function parseListBody(body: Buffer, { list, maxItems, parse }: ListBody): Promise<unknown> {
  const pause = createPauses();
  const parts = cutLists(body);
  const items: unknown[] = [];
  let part = parts.next();
  while (!part.done) {
    items.push(parse(part.value));
    if (items.length > maxItems) return { [list]: items };
    await pause();
    part = parts.next();
  }
  const frame = parse(part.value);
  const isList = typeof frame === "object" && frame !== null && Array.isArray(Reflect.get(frame, list));
  return isList ? { ...frame, [list]: items } : frame;
}

/**
 * Yields the texts of the items of lists that are directly in the object, and returns the text without them:
 * `{"assets":[1,{}]}` has the items `1` and `{}` and the frame `{"assets":[]}`. A text is JSON if its items and its
 * frame are.
 *
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export function* cutLists(text: Buffer): Generator<Buffer, Buffer, undefined> {
  const frame: Buffer[] = [];
  let frameBytes = 0;
  let begin = 0;
  let depth = 0;
  let items: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (items === undefined && depth === 2 && byte === OPEN_LIST) {
        frame.push(text.subarray(begin, at + 1));
        frameBytes += at + 1 - begin;
        [begin, items] = [at + 1, 0];
      }
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth -= 1;
      if (items !== undefined && depth === 1) {
        const last = text.subarray(begin, at);
        if (items > 0 || !last.every((one) => WHITE_SPACE.includes(one))) yield last;
        [begin, items] = [at, undefined];
      }
    } else if (items !== undefined && depth === 2 && byte === COMMA) {
      yield text.subarray(begin, at);
      [begin, items] = [at + 1, items + 1];
    }
    const bytes = at - begin;
    if (items === undefined ? frameBytes + bytes > MAX_FRAME_BYTES : bytes > MAX_ITEM_BYTES) throw tooLarge();
  }
  frame.push(text.subarray(begin));
  return Buffer.concat(frame);
}

/** The index of the quote that ends a string, or of the end of the text. */
function endOfString(text: Buffer, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === QUOTE) return at;
    if (text[at] === BACKSLASH) at += 1;
  }
  return text.length;
}

const tooLarge = (): AppError =>
  new AppError({
    kind: "invalid",
    code: "PAYLOAD_TOO_LARGE",
    message: `One record of the list has more than ${MAX_ITEM_BYTES / 1024} KiB.`,
  });
