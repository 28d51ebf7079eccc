// Links one BPF object file into the shared object that Solana's loader reads. Usage: node link.mjs in.o out.so
//
// What the loader (sBPF version 0) wants: one .text, one .rodata, no writable data, and relocations only for system
// calls. Everything else is resolved here. Sections lie in the file at their own address; at run time the file image
// is mapped at 0x100000000.

import { readFileSync, writeFileSync } from "node:fs";

const IMAGE_BASE = 0x1_0000_0000n;
const MACHINE_BPF = 247;
const INSTRUCTION_BYTES = 8;
const OPCODE_LDDW = 0x18;
const OPCODE_CALLX = 0x8d;

const SECTION = { progbits: 1, symtab: 2, strtab: 3, dynamic: 6, rel: 9, dynsym: 11 };
const FLAG = { write: 1, alloc: 2, execute: 4 };
const SEGMENT = { load: 1, dynamic: 2 };
const RELOCATION = { absolute64: 1, data64: 2, call: 10 };
const SYMBOL_IS_SECTION = 3;

/** What a program may import: the machine's functions. Anything else is a function that is missing. */
const SYSTEM_CALLS = new Set([
  "abort",
  "sol_create_program_address",
  "sol_get_clock_sysvar",
  "sol_get_rent_sysvar",
  "sol_get_stack_height",
  "sol_invoke_signed_c",
  "sol_log_",
  "sol_memcmp_",
  "sol_memcpy_",
  "sol_memmove_",
  "sol_memset_",
  "sol_panic_",
  "sol_sha256",
  "sol_try_find_program_address",
]);

const alignUp = (value, alignment) => Math.ceil(value / alignment) * alignment;

/** Reads sections and symbols of an ELF64 little-endian object. */
function readObject(file) {
  const tableOffset = Number(file.readBigUInt64LE(40));
  const count = file.readUInt16LE(60);
  const sections = Array.from({ length: count }, (_, i) => {
    const at = tableOffset + i * 64;
    return {
      nameOffset: file.readUInt32LE(at),
      type: file.readUInt32LE(at + 4),
      flags: Number(file.readBigUInt64LE(at + 8)),
      offset: Number(file.readBigUInt64LE(at + 24)),
      size: Number(file.readBigUInt64LE(at + 32)),
      link: file.readUInt32LE(at + 40),
      info: file.readUInt32LE(at + 44),
      alignment: Math.max(1, Number(file.readBigUInt64LE(at + 48))),
      address: undefined,
    };
  });
  const text = (table, offset) => {
    const start = table.offset + offset;
    return file.toString("latin1", start, file.indexOf(0, start));
  };
  const names = sections[file.readUInt16LE(62)];
  for (const section of sections) section.name = text(names, section.nameOffset);

  const table = sections.find((section) => section.type === SECTION.symtab);
  const symbols = Array.from({ length: table.size / 24 }, (_, i) => {
    const at = table.offset + i * 24;
    return {
      name: text(sections[table.link], file.readUInt32LE(at)),
      type: file[at + 4] & 15,
      section: sections[file.readUInt16LE(at + 6)],
      isUndefined: file.readUInt16LE(at + 6) === 0,
      value: Number(file.readBigUInt64LE(at + 8)),
    };
  });
  return { file, sections, symbols };
}

/** The sections that are loaded: code first, then read-only data. */
function loadedSections(object) {
  const loaded = object.sections.filter((s) => s.type === SECTION.progbits && s.flags & FLAG.alloc && s.size > 0);
  for (const section of loaded) {
    // Tables of pointers are writable for a dynamic linker only; nothing writes to them after linking.
    if (section.flags & FLAG.write && !section.name.startsWith(".data.rel.ro")) {
      throw new Error(`writable section ${section.name}: the loader refuses writable statics`);
    }
  }
  return {
    code: loaded.filter((s) => s.flags & FLAG.execute),
    data: loaded.filter((s) => !(s.flags & FLAG.execute)),
  };
}

/** Gives every loaded section its address, from `start` on. */
function place({ code, data }, start) {
  let at = start;
  for (const section of code) {
    section.address = at;
    at += section.size;
  }
  const codeEnd = at;
  at = alignUp(at, 16);
  const dataStart = at;
  for (const section of data) {
    at = alignUp(at, section.alignment);
    section.address = at;
    at += section.size;
  }
  return { codeStart: start, codeEnd, dataStart, dataEnd: at };
}

/** Where a symbol lies in the image. */
function symbolAddress(symbol) {
  if (symbol.section?.address === undefined) throw new Error(`symbol without a place: ${symbol.name}`);
  return symbol.section.address + symbol.value;
}

/** Resolves every relocation in the image; returns those the loader has to bind: system calls. */
function relocate(object, image) {
  const systemCalls = [];
  for (const list of object.sections.filter((s) => s.type === SECTION.rel)) {
    const target = object.sections[list.info];
    if (target.address === undefined) continue;
    for (let at = list.offset; at < list.offset + list.size; at += 16) {
      const place = target.address + Number(object.file.readBigUInt64LE(at));
      const type = object.file.readUInt32LE(at + 8);
      const symbol = object.symbols[object.file.readUInt32LE(at + 12)];
      if (type === RELOCATION.absolute64) patchLoadAddress(image, place, symbol);
      else if (type === RELOCATION.data64) patchPointer(image, place, symbol);
      else if (type !== RELOCATION.call) throw new Error(`relocation type ${type}`);
      else if (symbol.isUndefined) {
        image.writeInt32LE(-1, place + 4);
        // The compiler's name for "unreachable" is bound to the machine's abort.
        const name = symbol.name === "__bpf_trap" ? "abort" : symbol.name;
        // The machine loads a program with an unknown import and stops only when it is called.
        if (!SYSTEM_CALLS.has(name)) throw new Error(`${name} is neither defined nor a system call`);
        systemCalls.push({ place, name });
      } else patchCall(image, place, symbol);
    }
  }
  return systemCalls;
}

/** A 16-byte load instruction whose two immediates are an address; the first holds the addend. */
function patchLoadAddress(image, place, symbol) {
  const address = IMAGE_BASE + BigInt(symbolAddress(symbol) + image.readUInt32LE(place + 4));
  image.writeUInt32LE(Number(address & 0xffffffffn), place + 4);
  image.writeUInt32LE(Number(address >> 32n), place + 12);
}

/** An 8-byte pointer in data that holds the addend. */
function patchPointer(image, place, symbol) {
  const addend = image.readBigUInt64LE(place);
  image.writeBigUInt64LE(IMAGE_BASE + BigInt(symbolAddress(symbol)) + addend, place);
}

/** A call of a function in the image: distance in instructions from the next one. */
function patchCall(image, place, symbol) {
  // Calls through a section symbol carry the function's position, in the same unit.
  const addend = symbol.type === SYMBOL_IS_SECTION ? (image.readInt32LE(place + 4) + 1) * INSTRUCTION_BYTES : 0;
  const distance = (symbolAddress(symbol) + addend - place) / INSTRUCTION_BYTES - 1;
  image.writeInt32LE(distance, place + 4);
}

/** Calls through a register: upstream names it in the destination field, sBPF version 0 in the immediate. */
function rewriteRegisterCalls(image, start, end) {
  for (let at = start; at < end; at += INSTRUCTION_BYTES) {
    if (image[at] === OPCODE_LDDW) at += INSTRUCTION_BYTES;
    else if (image[at] === OPCODE_CALLX) {
      const register = image[at + 1] & 0x0f;
      image[at + 1] &= 0xf0;
      image.writeInt32LE(register, at + 4);
    }
  }
}

/** NUL-separated names and the offset of each; the empty name comes first. */
function stringTable(names) {
  const offsets = new Map([["", 0]]);
  let text = "\0";
  for (const name of names) {
    if (offsets.has(name)) continue;
    offsets.set(name, text.length);
    text += `${name}\0`;
  }
  return { bytes: Buffer.from(text, "latin1"), offset: (name) => offsets.get(name) };
}

const words = (...values) => {
  const bytes = Buffer.alloc(values.length * 8);
  values.forEach((value, i) => {
    bytes.writeBigUInt64LE(BigInt(value), i * 8);
  });
  return bytes;
};

/** The tables by which the loader finds the system calls. `start` is their address. */
function dynamicTables(systemCalls, start) {
  const names = [...new Set(systemCalls.map((call) => call.name))];
  const strings = stringTable(names);
  const symbols = Buffer.alloc(24 * (names.length + 1));
  names.forEach((name, i) => {
    symbols.writeUInt32LE(strings.offset(name), 24 * (i + 1));
    symbols[24 * (i + 1) + 4] = 0x10; // global
  });
  const relocations = Buffer.concat(
    systemCalls.map((call) =>
      words(call.place, (BigInt(names.indexOf(call.name) + 1) << 32n) | BigInt(RELOCATION.call)),
    ),
  );
  const dynamicSize = 7 * 16;
  const symbolsAt = start + dynamicSize;
  const stringsAt = symbolsAt + symbols.length;
  const relocationsAt = alignUp(stringsAt + strings.bytes.length, 8);
  const tag = { strtab: 5, symtab: 6, syment: 11, rel: 17, relsz: 18, relent: 19, end: 0 };
  const dynamic = words(
    ...[tag.rel, relocationsAt, tag.relsz, relocations.length, tag.relent, 16],
    ...[tag.symtab, symbolsAt, tag.syment, 24, tag.strtab, stringsAt, tag.end, 0],
  );
  return {
    end: relocationsAt + relocations.length,
    parts: [
      { name: ".dynamic", at: start, bytes: dynamic, type: SECTION.dynamic, link: ".dynstr", entry: 16 },
      { name: ".dynsym", at: symbolsAt, bytes: symbols, type: SECTION.dynsym, link: ".dynstr", info: 1, entry: 24 },
      { name: ".dynstr", at: stringsAt, bytes: strings.bytes, type: SECTION.strtab },
      { name: ".rel.dyn", at: relocationsAt, bytes: relocations, type: SECTION.rel, link: ".dynsym", entry: 16 },
    ],
  };
}

function programHeader(type, flags, start, end) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(flags, 4);
  return Buffer.concat([head, words(start, start, start, end - start, end - start, 0x1000)]);
}

function sectionHeader(section, names, order) {
  const header = Buffer.alloc(64);
  header.writeUInt32LE(names.offset(section.name), 0);
  header.writeUInt32LE(section.type, 4);
  words(section.flags, section.flags & FLAG.alloc ? section.at : 0, section.at, section.size).copy(header, 8);
  header.writeUInt32LE(section.link ? order.indexOf(section.link) : 0, 40);
  header.writeUInt32LE(section.info ?? 0, 44);
  words(section.name === ".dynstr" || section.name === ".shstrtab" ? 1 : 8, section.entry ?? 0).copy(header, 48);
  return header;
}

function fileHeader(entry, sectionTableAt, sectionCount, programHeaders) {
  const header = Buffer.alloc(64);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(header); // ELF, 64 bit, little-endian
  header.writeUInt16LE(3, 16); // shared object
  header.writeUInt16LE(MACHINE_BPF, 18);
  header.writeUInt32LE(1, 20);
  words(entry, 64, sectionTableAt).copy(header, 24);
  header.writeUInt16LE(64, 52);
  header.writeUInt16LE(56, 54);
  header.writeUInt16LE(programHeaders, 56);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(sectionCount, 60);
  header.writeUInt16LE(sectionCount - 1, 62);
  return header;
}

function link(object) {
  const programHeaderCount = 4;
  const loaded = loadedSections(object);
  const layout = place(loaded, 64 + programHeaderCount * 56);
  const image = Buffer.alloc(alignUp(layout.dataEnd, 8));
  for (const section of [...loaded.code, ...loaded.data]) {
    object.file.copy(image, section.address, section.offset, section.offset + section.size);
  }
  const systemCalls = relocate(object, image);
  rewriteRegisterCalls(image, layout.codeStart, layout.codeEnd);

  const dynamic = dynamicTables(systemCalls, image.length);
  const sections = [
    { name: "", at: 0, size: 0, type: 0, flags: 0 },
    {
      name: ".text",
      at: layout.codeStart,
      size: layout.codeEnd - layout.codeStart,
      type: SECTION.progbits,
      flags: FLAG.alloc | FLAG.execute,
    },
    {
      name: ".rodata",
      at: layout.dataStart,
      size: layout.dataEnd - layout.dataStart,
      type: SECTION.progbits,
      flags: FLAG.alloc,
    },
    ...dynamic.parts.map((part) => ({ ...part, size: part.bytes.length, flags: FLAG.alloc })),
    { name: ".shstrtab", at: dynamic.end, size: 0, type: SECTION.strtab, flags: 0 },
  ];
  const order = sections.map((section) => section.name);
  const names = stringTable(order);
  sections[sections.length - 1].size = names.bytes.length;
  const sectionTableAt = alignUp(dynamic.end + names.bytes.length, 8);

  const out = Buffer.alloc(sectionTableAt + sections.length * 64);
  image.copy(out);
  for (const part of dynamic.parts) part.bytes.copy(out, part.at);
  names.bytes.copy(out, dynamic.end);
  sections.forEach((section, i) => {
    if (i > 0) sectionHeader(section, names, order).copy(out, sectionTableAt + i * 64);
  });
  const entry = symbolAddress(object.symbols.find((symbol) => symbol.name === "entrypoint"));
  fileHeader(entry, sectionTableAt, sections.length, programHeaderCount).copy(out, 0);
  const dynamicPart = dynamic.parts[0];
  const headers = [
    programHeader(SEGMENT.load, 5, layout.codeStart, layout.codeEnd),
    programHeader(SEGMENT.load, 4, layout.dataStart, layout.dataEnd),
    programHeader(SEGMENT.load, 4, image.length, dynamic.end),
    programHeader(SEGMENT.dynamic, 6, dynamicPart.at, dynamicPart.at + dynamicPart.bytes.length),
  ];
  Buffer.concat(headers).copy(out, 64);
  return out;
}

const [, , input, output] = process.argv;
writeFileSync(output, link(readObject(readFileSync(input))));
