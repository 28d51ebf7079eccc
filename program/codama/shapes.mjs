/**
 * Short names for the wire shapes the program uses, so that the description reads like a table:
 * borsh vectors and strings with a u32 count, "small" vectors with a u8 or u16 count, options with a one-byte tag.
 */
import { createHash } from "node:crypto";
import {
  arrayTypeNode,
  booleanTypeNode,
  bytesTypeNode,
  bytesValueNode,
  constantPdaSeedNodeFromString,
  definedTypeLinkNode,
  definedTypeNode,
  enumEmptyVariantTypeNode,
  enumStructVariantTypeNode,
  enumTypeNode,
  fieldDiscriminatorNode,
  fixedSizeTypeNode,
  numberTypeNode,
  optionTypeNode,
  prefixedCountNode,
  publicKeyTypeNode,
  sizePrefixTypeNode,
  stringTypeNode,
  structFieldTypeNode,
  structTypeNode,
} from "codama";

export const u8 = numberTypeNode("u8");
export const u16 = numberTypeNode("u16");
export const u32 = numberTypeNode("u32");
export const u64 = numberTypeNode("u64");
export const u128 = numberTypeNode("u128");
export const i64 = numberTypeNode("i64");
export const address = publicKeyTypeNode();
export const bool = booleanTypeNode();

export const vec = (item) => arrayTypeNode(item, prefixedCountNode(u32));
export const smallVec = (item) => arrayTypeNode(item, prefixedCountNode(u8));
export const bytes = sizePrefixTypeNode(bytesTypeNode(), u32);
export const smallBytes8 = sizePrefixTypeNode(bytesTypeNode(), u8);
export const smallBytes16 = sizePrefixTypeNode(bytesTypeNode(), u16);
/** Everything up to the end of the input: for contents that this description does not decode. */
export const opaque = bytesTypeNode();
export const fixedBytes = (size) => fixedSizeTypeNode(bytesTypeNode(), size);
export const option = (item) => optionTypeNode(item);
export const string = sizePrefixTypeNode(stringTypeNode("utf8"), u32);
export const link = (name) => definedTypeLinkNode(name);

/** `fields` is a list of `[name, type, docs?]`. */
export const fields = (list) =>
  list.map(([name, type, docs]) => structFieldTypeNode({ name, type, ...(docs ? { docs: [docs] } : {}) }));

export const struct = (list) => structTypeNode(fields(list));

export const typeOf = (name, type, docs) => definedTypeNode({ name, type, ...(docs ? { docs: [docs] } : {}) });

/** `variants` is a list of `[name, fields?]`; a variant without fields is a bare tag. */
export const variants = (list) =>
  enumTypeNode(
    list.map(([name, content]) =>
      content === undefined ? enumEmptyVariantTypeNode(name) : enumStructVariantTypeNode(name, struct(content)),
    ),
  );

/** The first eight bytes of SHA-256 over `namespace:name`, in hex. */
export const discriminatorHex = (namespace, name) =>
  createHash("sha256").update(`${namespace}:${name}`).digest("hex").slice(0, 16);

/** The leading field that distinguishes accounts and instructions. It is filled in by the encoder and never by the caller. */
export const discriminatorField = (namespace, name) => ({
  name: "discriminator",
  type: fixedBytes(8),
  defaultValue: bytesValueNode("base16", discriminatorHex(namespace, name)),
  defaultValueStrategy: "omitted",
});

export const byDiscriminator = [fieldDiscriminatorNode("discriminator")];

export const text = (value) => constantPdaSeedNodeFromString("utf8", value);
