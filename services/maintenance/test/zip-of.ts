/** A zip of uncompressed entries. Its checksums are not computed. */
export function zipOf(entries: Record<string, string>): Buffer {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const [file, entry] = [Buffer.alloc(30), Buffer.alloc(46)];
    file.writeUInt32LE(0x04034b50, 0);
    entry.writeUInt32LE(0x02014b50, 0);
    for (const [header, at] of [
      [file, 18],
      [entry, 20],
    ] as const) {
      header.writeUInt32LE(content.length, at);
      header.writeUInt32LE(content.length, at + 4);
      header.writeUInt16LE(name.length, at + 8);
    }
    entry.writeUInt32LE(offset, 42);
    files.push(file, Buffer.from(name), Buffer.from(content));
    list.push(entry, Buffer.from(name));
    offset += 30 + name.length + content.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, directory, end]);
}
