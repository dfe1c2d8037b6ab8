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
const OPEN_DOCUMENT = /^mimetype(application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation))/;
/** Entries that programs have: Java and Android. */
const PROGRAM = /^(META-INF\/MANIFEST\.MF|AndroidManifest\.xml)$/i;

/** Texts that something would run or show as a page. */
const SCRIPTS = new Set(
  "html htm xhtml shtml svg xml js mjs cjs vbs wsf hta ps1 psm1 bat cmd sh bash php py pl rb".split(" "),
);
/** A text has no other controls than these: tab, line feed, form feed and carriage return. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0c, 0x0d]);
const isTextByte = (byte: number): boolean => (byte >= 0x20 && byte !== 0x7f) || TEXT_CONTROLS.has(byte);
/** Markup, and scripts that name their interpreter. */
const MARKUP = /^(\xef\xbb\xbf)?\s*(<|#!|@echo\b)/i;

/**
 * Finds the type of a file by its content, which it gets chunk by chunk. `name` decides only between types whose
 * content has the same form. At most 1 MiB of the file is kept.
 */
export function createFileTypeReader(name: string) {
  let head: string | undefined;
  let tail = Buffer.alloc(0);
  let isText = true;

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
      const found = SIGNATURES.find(({ bytes, at = 0 }) => head?.startsWith(bytes, at))?.type;
      if (found === "zip") return zipType(head, tail);
      if (found === "ole") return OLE[extensionOf(name)];
      if (found === "image/webp") return head.startsWith("RIFF") ? found : undefined;
      if (found !== undefined) return found;
      if (!isText || MARKUP.test(head) || SCRIPTS.has(extensionOf(name))) return undefined;
      return extensionOf(name) === "csv" ? "text/csv" : "text/plain";
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
  const openDocument = OPEN_DOCUMENT.exec(head.slice(30))?.[1];
  if (openDocument !== undefined && entries.includes("content.xml")) return openDocument;
  if (!entries.includes("[Content_Types].xml")) return "application/zip";
  const folder = Object.keys(OFFICE_FOLDERS).find((each) => entries.some((entry) => entry.startsWith(each)));
  return folder === undefined ? "application/zip" : OFFICE_FOLDERS[folder];
}
