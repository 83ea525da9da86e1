import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  readonly name: string;
  readonly contents?: string | Uint8Array;
  readonly stored?: boolean;
  /** Written in place of what is true. */
  readonly claims?: {
    readonly bytes?: number;
    readonly crc32?: number;
    readonly method?: number;
    readonly flags?: number;
    readonly mode?: number;
  };
}

/** A zip archive of these members, with whatever lies it is told to tell. */
export function zipOf(members: readonly ZipMember[], comment = ""): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const contents = Buffer.from(member.contents ?? "");
    const packed = member.stored ? contents : deflateRawSync(contents);
    const claims = {
      bytes: contents.length,
      crc32: crc32(contents),
      method: member.stored ? 0 : 8,
      flags: 1 << 11,
      mode: 0x81a4,
      ...member.claims,
    };
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(claims.flags, 2);
    shared.writeUInt16LE(claims.method, 4);
    shared.writeUInt32LE(claims.crc32, 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claims.bytes, 18);
    shared.writeUInt16LE(name.length, 22);
    // The local header has an extra field, the directory has none: their lengths are not to be taken for the same.
    const extra = Buffer.from([1, 2, 0, 0]);
    shared.writeUInt16LE(extra.length, 24);
    const local = Buffer.concat([signature(0x04034b50), shared, name, extra, packed]);
    shared.writeUInt16LE(0, 24);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((claims.mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), Buffer.from([20, 3]), shared, rest, name);
    bodies.push(local);
    offset += local.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...bodies, listing, signature(0x06054b50), end, Buffer.from(comment)]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
