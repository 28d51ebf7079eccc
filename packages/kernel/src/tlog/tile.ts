/** A tree in tiles (C2SP tlog-tiles): each holds up to 256 hashes that stand side by side, eight levels above those of the tile level below. */
import { Buffer } from "node:buffer";
import { foldComplete, hashBytes, type NodeReader, type TreeNode } from "./merkle.js";

export const tileWidth = 256;
const tileHeight = 8;

/** Which tile. */
export interface TileName {
  readonly level: number;
  readonly index: number;
}

/** A tile with the hashes that it has so far, one behind the other. */
export interface Tile extends TileName {
  readonly hashes: Uint8Array;
}

/** Gives tiles, whole or as far as they are; a missing one is left out. */
export type TileReader = (names: readonly TileName[]) => Promise<readonly Tile[]>;

/** How many hashes a tree of `size` leaves has at a level of tiles. */
export const hashesAt = (size: number, level: number): number => Math.floor(size / tileWidth ** level);

/** The tiles of a tree that are not full, one for each level: what an append begins from. */
export function openTiles(size: number): readonly TileName[] {
  const names: TileName[] = [];
  for (let level = 0; hashesAt(size, level) > 0; level += 1) {
    const count = hashesAt(size, level);
    if (count % tileWidth !== 0) names.push({ level, index: Math.floor(count / tileWidth) });
  }
  return names;
}

/** Appends leaves to a tree of `size`; `open` are its tiles that are not full. Returns the tiles that are new or longer. */
export function appendLeaves(size: number, open: readonly Tile[], leaves: readonly Uint8Array[]): readonly Tile[] {
  const changed: Tile[] = [];
  let added = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const before = hashesAt(size, level);
    let index = Math.floor(before / tileWidth);
    const inside = before % tileWidth;
    const kept = open.find((tile) => tile.level === level && tile.index === index)?.hashes ?? new Uint8Array();
    if (kept.length !== inside * hashBytes) throw new RangeError("an open tile is as long as its tree says");
    let hashes = Buffer.concat([kept, ...added]);
    const above: Uint8Array[] = [];
    for (; hashes.length > 0; index += 1) {
      const own = Uint8Array.from(hashes.subarray(0, tileWidth * hashBytes));
      changed.push({ level, index, hashes: own });
      if (own.length === tileWidth * hashBytes) above.push(foldComplete(splitHashes(own)));
      hashes = hashes.subarray(tileWidth * hashBytes);
    }
    added = above;
  }
  return changed;
}

/** Reads the hashes of subtrees out of tiles, each of which is asked for once. Throws a `RangeError` where one lacks a hash. */
export function readNodes(read: TileReader): NodeReader {
  return async (nodes) => {
    const names = new Map(nodes.map((node) => [keyOf(tileOf(node)), tileOf(node)]));
    const tiles = new Map((await read([...names.values()])).map((tile) => [keyOf(tile), tile.hashes]));
    return nodes.map((node) => {
      const width = 2 ** (node.level % tileHeight);
      const start = (node.index * width) % tileWidth;
      const hashes = tiles.get(keyOf(tileOf(node)))?.subarray(start * hashBytes, (start + width) * hashBytes);
      if (hashes?.length !== width * hashBytes) throw new RangeError(`tile ${keyOf(tileOf(node))} lacks a hash`);
      return foldComplete(splitHashes(hashes));
    });
  };
}

/** The hashes that stand one behind the other. */
export function splitHashes(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: bytes.length / hashBytes }, (_, i) => bytes.subarray(i * hashBytes, (i + 1) * hashBytes));
}

/** A tile as its path names it, with the number of hashes that are wanted: 256, or fewer of one that is not full. */
export interface TilePath extends TileName {
  readonly width: number;
}

/** `0/x001/234.p/7`; undefined for what is no path of a tile. */
export function parseTilePath(path: string): TilePath | undefined {
  const found = /^(0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(path);
  const [, level, groups, partial] = found ?? [];
  if (level === undefined || groups === undefined) return undefined;
  const index = Number(groups.replaceAll(/[x/]/g, ""));
  const width = partial === undefined ? tileWidth : Number(partial);
  const tile = { level: Number(level), index, width };
  const isOne = tile.level < 64 && Number.isSafeInteger(index) && (partial === undefined || width < tileWidth);
  // One spelling for each: no groups of zeros in front.
  return isOne && tilePath(tile) === path ? tile : undefined;
}

/** The path of a tile below `tile/`. */
export function tilePath({ level, index, width }: TilePath): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/[0-9]{3}/g) ?? [];
  const named = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join("/");
  return `${level}/${named}${width === tileWidth ? "" : `.p/${width}`}`;
}

const keyOf = ({ level, index }: TileName): string => `${level}/${index}`;

function tileOf({ level, index }: TreeNode): TileName {
  return {
    level: Math.floor(level / tileHeight),
    index: Math.floor((index * 2 ** (level % tileHeight)) / tileWidth),
  };
}
