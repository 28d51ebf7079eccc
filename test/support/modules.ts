/** The modules from left to right: each may import those before it. */
export const modules: readonly string[] = [
  "kernel",
  "program-client",
  "solana",
  "payees",
  "events",
  "tenants",
  "custody",
  "people",
  "sponsorship",
  "following",
  "submissions",
  "accounts",
  "transactions",
  "rails",
  "history",
  "proposals",
  "payments",
  "policy-changes",
  "spending-limits",
  "standing-orders",
  "sign-in",
  "legacy",
  "sandbox-controls",
];

/** The folder of `src/` that a file stands in; "" for files that stand higher, and for what is not of `src/`. */
export function folderOf(file: string): string {
  const [top, folder = ""] = file.split("/").slice(0, -1);
  return top === "src" ? folder : "";
}
