import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { ARTIFACT } from "./support/ledger.js";

const tool = (name: string): string => fileURLToPath(new URL(`../build/${name}`, import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "program-build-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("lower.mjs", () => {
  test("makes memory calls of unknown or large size calls of the machine, and declares it", () => {
    const text = lower(
      "  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 %to, ptr align 1 %from, i64 %size, i1 false)",
      "  tail call void @llvm.memset.p0.i64(ptr align 8 %to, i8 0, i64 97, i1 false)",
      "  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr getelementptr inbounds (i8, ptr @table, i64 4), i64 200, i1 false)",
    );
    expect(text.split("\n").slice(0, 3)).toEqual([
      "  call void @sol_memcpy_(ptr %to, ptr %from, i64 %size)",
      "  call void @sol_memset_(ptr %to, i8 0, i64 97)",
      "  call void @sol_memmove_(ptr %to, ptr getelementptr inbounds (i8, ptr @table, i64 4), i64 200)",
    ]);
    expect(text).toContain("declare void @sol_memcpy_(ptr, ptr, i64)");
    expect(text).toContain("declare void @sol_memset_(ptr, i8, i64)");
  });

  test("leaves small ones to the backend, and other lines alone", () => {
    const lines = [
      "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 96, i1 false)",
      "  %sum = add i64 %a, %b",
      '@text = constant [3 x i8] c"abc"',
    ];
    expect(lower(...lines)).toBe(lines.join("\n"));
  });

  test("takes the mark off results in memory", () => {
    expect(lower("define void @f(ptr sret([48 x i8]) align 8 %out, i64 %a) {")).toBe(
      "define void @f(ptr align 8 %out, i64 %a) {",
    );
  });

  test("makes checked multiplication a function of its own, once", () => {
    const text = lower(
      "  %x = tail call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 33)",
      "declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)",
    );
    expect(text.split("\n")[0]).toBe("  %x = call { i64, i1 } @checked_mul(i64 %a, i64 33)");
    expect(text.match(/define internal \{ i64, i1 \} @checked_mul/g)?.length).toBe(1);
    expect(text).not.toContain("@llvm.umul");
  });

  const llvm = "/usr/lib/llvm-22/bin/lli";
  test.skipIf(!existsSync(llvm))("sets the overflow bit exactly when the product does not fit", () => {
    const cases: [bigint, bigint][] = [];
    const edges = [0n, 1n, 2n, 3n, 33n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n, 2n ** 64n - 1n];
    for (const a of edges) for (const b of edges) cases.push([a, b]);
    const body = cases.map(([a, b], i) => {
      const overflows = a * b >= 2n ** 64n ? "true" : "false";
      return `
  %r${i} = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 ${BigInt.asIntN(64, a)}, i64 ${BigInt.asIntN(64, b)})
  %bit${i} = extractvalue { i64, i1 } %r${i}, 1
  %low${i} = extractvalue { i64, i1 } %r${i}, 0
  %rightbit${i} = icmp eq i1 %bit${i}, ${overflows}
  %rightlow${i} = icmp eq i64 %low${i}, ${BigInt.asIntN(64, a * b)}
  %ok${i} = and i1 %rightbit${i}, %rightlow${i}
  %so${i} = ${i === 0 ? "and i1 true" : `and i1 %so${i - 1}`}, %ok${i}`;
    });
    const last = cases.length - 1;
    lower(
      `define i32 @main() {${body.join("")}`,
      `  %status = select i1 %so${last}, i32 0, i32 1`,
      "  ret i32 %status",
      "}",
      "declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)",
    );
    expect(spawnSync(llvm, [join(directory, "out.ll")]).status).toBe(0);
  });
});

/** An object file with one function that calls `name`, and a relocation for the call. */
function objectCalling(name: string): Buffer {
  const text = Buffer.alloc(16);
  text[0] = 0x85; // call
  text.writeInt32LE(-1, 4);
  text[1] = 0x10; // relative, as the compiler writes it
  text[8] = 0x95; // exit
  const names = Buffer.from("\0.text\0.rel.text\0.symtab\0.strtab\0");
  const strings = Buffer.from(`\0entrypoint\0${name}\0`);
  const symbol = (at: number, info: number, section: number) => {
    const bytes = Buffer.alloc(24);
    bytes.writeUInt32LE(at, 0);
    bytes[4] = info;
    bytes.writeUInt16LE(section, 6);
    return bytes;
  };
  const symbols = Buffer.concat([symbol(0, 0, 0), symbol(1, 0x12, 1), symbol(12, 0x10, 0)]);
  const relocation = Buffer.alloc(16);
  relocation.writeUInt32LE(10, 8);
  relocation.writeUInt32LE(2, 12);
  const parts = [text, relocation, symbols, strings, names];
  const offsets: number[] = [];
  let at = 64;
  for (const part of parts) {
    offsets.push(at);
    at += part.length;
  }
  const sectionsAt = at;
  const section = (name: number, type: number, flags: number, part: number, link: number, info: number) => {
    const bytes = Buffer.alloc(64);
    bytes.writeUInt32LE(name, 0);
    bytes.writeUInt32LE(type, 4);
    bytes.writeBigUInt64LE(BigInt(flags), 8);
    bytes.writeBigUInt64LE(BigInt(offsets[part] ?? 0), 24);
    bytes.writeBigUInt64LE(BigInt(parts[part]?.length ?? 0), 32);
    bytes.writeUInt32LE(link, 40);
    bytes.writeUInt32LE(info, 44);
    bytes.writeBigUInt64LE(8n, 48);
    return bytes;
  };
  const sections = [
    Buffer.alloc(64),
    section(1, 1, 6, 0, 0, 0),
    section(7, 9, 0, 1, 3, 1),
    section(17, 2, 0, 2, 4, 1),
    section(25, 3, 0, 3, 0, 0),
    section(25, 3, 0, 4, 0, 0),
  ];
  const header = Buffer.alloc(64);
  header.writeBigUInt64LE(BigInt(sectionsAt), 40);
  header.writeUInt16LE(sections.length, 60);
  header.writeUInt16LE(5, 62);
  return Buffer.concat([header, ...parts, ...sections]);
}

describe("link.mjs", () => {
  const link = (name: string) => {
    const [from, to] = [join(directory, "in.o"), join(directory, "out.so")];
    writeFileSync(from, objectCalling(name));
    const { status, stderr } = spawnSync(process.execPath, [tool("link.mjs"), from, to], { encoding: "utf8" });
    return { status, stderr, output: status === 0 ? readFileSync(to) : Buffer.alloc(0) };
  };

  test("leaves system calls to the loader, by name", () => {
    const { status, output } = link("sol_log_");
    expect(status).toBe(0);
    expect(output.includes("sol_log_\0")).toBe(true);
    expect(output.readUInt16LE(18)).toBe(247);
  });

  test("binds what cannot be reached to the machine's abort", () => {
    expect(link("__bpf_trap").output.includes("abort\0")).toBe(true);
  });

  test.each(["memcpy", "__multi3", "sol_log_typo"])("refuses an import that is no system call: %s", (name) => {
    const { status, stderr } = link(name);
    expect(status).toBe(1);
    expect(stderr).toContain(`${name} is neither defined nor a system call`);
  });

  test("the artefact imports system calls only", () => {
    const names =
      readFileSync(ARTIFACT)
        .toString("latin1")
        .match(/\b(?:sol_[a-z0-9_]+|abort)(?=\0)/g) ?? [];
    expect(new Set(names).size).toBeGreaterThan(8);
    for (const name of names) expect(readFileSync(tool("link.mjs"), "utf8")).toContain(`"${name}"`);
  });
});

/** Lines of IR as the first tool leaves them. */
function lower(...lines: string[]): string {
  const [from, to] = [join(directory, "in.ll"), join(directory, "out.ll")];
  writeFileSync(from, lines.join("\n"));
  execFileSync(process.execPath, [tool("lower.mjs"), from, to]);
  return readFileSync(to, "utf8");
}
