import { extensionOf } from "./file-name.ts";
import { listZipEntries } from "./zip-entries.ts";

/** The end of a file that is kept: the list of entries of a zip is there. */
const TAIL_BYTES = 1_048_576;

const SIGNATURES: readonly { type: string; bytes: string; at?: number }[] = [
  { type: "application/pdf", bytes: "%PDF-" },
  { type: "image/png", bytes: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", bytes: "\xff\xd8\xff" },
  { type: "image/webp", bytes: "WEBP", at: 8 },
  { type: "zip", bytes: "PK\x03\x04" },
  { type: "ole", bytes: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" },
];

/** Old office files have one form, which installers have too. So only these endings are accepted. */
const OLE: Readonly<Record<string, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
};

const OFFICE = "application/vnd.openxmlformats-officedocument";
/** The folder in which each office type has its content. */
const OFFICE_FOLDERS: Readonly<Record<string, string>> = {
  "word/": `${OFFICE}.wordprocessingml.document`,
  "xl/": `${OFFICE}.spreadsheetml.sheet`,
  "ppt/": `${OFFICE}.presentationml.presentation`,
};
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";
const OPEN_DOCUMENT_HEAD =
  /^mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))/;
/** Entries that programs have: Java and Android. */
const PROGRAM = /^(META-INF\/MANIFEST\.MF|AndroidManifest\.xml)$/i;

/**
 * The extensions of each type. Systems run a file by its extension, whatever its content is: a PDF called `evil.hta`, or
 * a text called `evil.reg`. A name without an extension is run by nothing.
 */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  "application/pdf": ["pdf"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/webp": ["webp"],
  "application/zip": ["zip"],
  "application/msword": ["doc"],
  "application/vnd.ms-excel": ["xls"],
  "application/vnd.ms-powerpoint": ["ppt"],
  [`${OFFICE}.wordprocessingml.document`]: ["docx"],
  [`${OFFICE}.spreadsheetml.sheet`]: ["xlsx"],
  [`${OFFICE}.presentationml.presentation`]: ["pptx"],
  [`${OPEN_DOCUMENT}text`]: ["odt"],
  [`${OPEN_DOCUMENT}spreadsheet`]: ["ods"],
  [`${OPEN_DOCUMENT}presentation`]: ["odp"],
  "text/csv": ["csv"],
  "text/plain": ["txt", "text", "log", "md", "tsv", "json", "yaml", "yml"],
};
const belongs = (type: string, extension: string): boolean =>
  extension === "" || EXTENSIONS[type]?.includes(extension) === true;

/** A text has no other controls than these: tab, line feed, form feed and carriage return. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d]);
const isTextByte = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || TEXT_CONTROLS.has(byte);
/** Markup, and scripts that name their interpreter. */
const MARKUP = /^(\xef\xbb\xbf)?\s*(<|#!|@echo\b)/i;

/**
 * Finds the type of a file by its content, which it gets chunk by chunk. The extension of `name` must belong to that
 * type, and decides between types whose content has the same form. At most 1 MiB of the file is kept.
 */
export function createFileTypeReader(name: string) {
  let head: string | undefined;
  let tail = Buffer.alloc(0);
  let isText = true;
  const extension = extensionOf(name);

  function byContent(start: string): string | undefined {
    const found = SIGNATURES.find(({ bytes, at = 0 }) => start.startsWith(bytes, at))?.type;
    if (found === "zip") return zipType(start, tail);
    if (found === "ole") return OLE[extension];
    if (found === "image/webp") return start.startsWith("RIFF") ? found : undefined;
    if (found !== undefined) return found;
    if (!isText || MARKUP.test(start)) return undefined;
    return extension === "csv" ? "text/csv" : "text/plain";
  }

  return {
    /** The first chunk must have the first 64 KiB, or the whole file. */
    add(chunk: Uint8Array): void {
      head ??= Buffer.from(chunk).toString("latin1");
      isText &&= chunk.every(isTextByte);
      if (head.startsWith("PK")) tail = Buffer.from(Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES));
    },

    /** The media type, or undefined for a file that is refused. Before the end, whether the file may be accepted. */
    type(): string | undefined {
      if (head === undefined) return undefined;
      const type = byContent(head);
      return type !== undefined && belongs(type, extension) ? type : undefined;
    },

    /** Whether the chunks so far can't be the beginning of an accepted file. */
    isRefused(): boolean {
      return head !== undefined && !head.startsWith("PK\x03\x04") && this.type() === undefined;
    },
  };
}

/** The type of a zip by its list of entries. Undefined for a program, or without a list. */
function zipType(head: string, tail: Buffer): string | undefined {
  const entries = listZipEntries(tail);
  if (entries === undefined || entries.some((entry) => PROGRAM.test(entry))) return undefined;
  // The first entry of an open document is its media type, which is not compressed.
  const openDocument = OPEN_DOCUMENT_HEAD.exec(head.slice(30))?.[1];
  if (openDocument !== undefined && entries.includes("content.xml")) return openDocument;
  if (!entries.includes("[Content_Types].xml")) return "application/zip";
  const folder = Object.keys(OFFICE_FOLDERS).find((each) => entries.some((entry) => entry.startsWith(each)));
  return folder === undefined ? "application/zip" : OFFICE_FOLDERS[folder];
}
