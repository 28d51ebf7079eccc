/**
 * Writes the description a second time in the form of an Anchor IDL (spec 0.1.0), for tools that read only that.
 *
 * What that form cannot say is left out, and the result says so in the docs of the place: vectors with a u8 or u16
 * count (the wrapped messages, which appear as plain bytes) and contents that run to the end of the data.
 */
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/([a-z])(\d)$/, "$1_$2");
const instructionName = (name) => snake(name).replace(/_v_?2$/, "_v2");
const pascal = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
const docsOf = (node) => (node.docs && node.docs.length > 0 ? { docs: node.docs } : {});

class Inexpressible extends Error {}

const anchorType = (type) => {
  switch (type.kind) {
    case "numberTypeNode":
      return type.format;
    case "booleanTypeNode":
      return "bool";
    case "publicKeyTypeNode":
      return "pubkey";
    case "definedTypeLinkNode":
      return { defined: { name: pascal(type.name) } };
    case "optionTypeNode":
      return { option: anchorType(type.item) };
    case "sizePrefixTypeNode":
      if (type.prefix.format !== "u32") throw new Inexpressible(`a ${type.prefix.format} count`);
      return type.type.kind === "stringTypeNode" ? "string" : "bytes";
    case "fixedSizeTypeNode":
      return { array: ["u8", type.size] };
    case "arrayTypeNode":
      if (type.count.kind !== "prefixedCountNode" || type.count.prefix.format !== "u32")
        throw new Inexpressible("a small count");
      return { vec: anchorType(type.item) };
    default:
      throw new Inexpressible(type.kind);
  }
};

const namedFields = (fields) =>
  fields
    .filter((field) => field.name !== "discriminator")
    .map((field) => ({ name: snake(field.name), ...docsOf(field), type: anchorType(field.type) }));

const anchorVariant = (variant) => {
  if (variant.kind === "enumEmptyVariantTypeNode") return { name: pascal(variant.name) };
  try {
    return { name: pascal(variant.name), fields: namedFields(variant.struct.fields) };
  } catch (error) {
    if (error instanceof Inexpressible) return { name: pascal(variant.name) };
    throw error;
  }
};

const anchorTypeDefinition = (node) => {
  if (node.type.kind === "structTypeNode") return { kind: "struct", fields: namedFields(node.type.fields) };
  if (node.type.kind === "enumTypeNode") return { kind: "enum", variants: node.type.variants.map(anchorVariant) };
  throw new Inexpressible(node.type.kind);
};

const isOpaque = (node) =>
  node.type.kind === "enumTypeNode" &&
  node.type.variants.some((variant) => variant.struct?.fields.some((field) => field.type.kind === "bytesTypeNode"));

const discriminatorOf = (fields) => {
  const field = fields.find((candidate) => candidate.name === "discriminator");
  return [...Buffer.from(field.defaultValue.data, "hex")];
};

const anchorAccount = (node) => ({
  name: snake(node.name),
  ...docsOf(node),
  ...(node.isWritable ? { writable: true } : {}),
  ...(node.isSigner ? { signer: true } : {}),
  ...(node.isOptional ? { optional: true } : {}),
  ...(node.defaultValue?.kind === "publicKeyValueNode" ? { address: node.defaultValue.publicKey } : {}),
});

/**
 * The Anchor IDL of a Codama root node, as a plain object ready for JSON.
 */
export function anchorIdl(root) {
  const { program } = root;
  const leftOut = new Set();
  const types = [];
  for (const node of program.definedTypes) {
    try {
      const opaqueNote = isOpaque(node) ? ["Variants about policies are listed without their contents."] : [];
      const docs = [...(node.docs ?? []), ...opaqueNote];
      types.push({ name: pascal(node.name), ...(docs.length > 0 ? { docs } : {}), type: anchorTypeDefinition(node) });
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      leftOut.add(pascal(node.name));
    }
  }
  for (const node of program.accounts) {
    types.push({
      name: pascal(node.name),
      ...docsOf(node),
      type: { kind: "struct", fields: namedFields(node.data.fields) },
    });
  }
  return {
    address: program.publicKey,
    metadata: {
      name: snake(program.name),
      version: program.version,
      spec: "0.1.0",
      description: program.docs?.[0] ?? "",
    },
    docs: [
      `Left out because this form has no vectors with small counts: ${[...leftOut].sort().join(", ")}.`,
      "The complete description is the Codama file beside this one.",
    ],
    instructions: program.instructions.map((node) => ({
      name: instructionName(node.name),
      docs: [
        ...(node.docs ?? []),
        ...(node.remainingAccounts ?? []).map((remaining) => `Followed by: ${remaining.value.name}.`),
      ],
      discriminator: discriminatorOf(node.arguments),
      accounts: node.accounts.map(anchorAccount),
      args: namedFields(node.arguments),
    })),
    accounts: program.accounts.map((node) => ({
      name: pascal(node.name),
      discriminator: discriminatorOf(node.data.fields),
    })),
    errors: program.errors.map((node) => ({ code: node.code, name: pascal(node.name), msg: node.message })),
    types,
  };
}
