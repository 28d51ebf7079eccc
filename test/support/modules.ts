/** The modules from left to right: each may import those before it. */
export const modules: readonly string[] = [
  "kernel",
  "program-client",
  "solana",
  "payees",
  "events",
  "audit",
  "tenants",
  "requests",
  "custody",
  "people",
  "sponsorship",
  "following",
  "submissions",
  "accounts",
  "labels",
  "transactions",
  "rails",
  "history",
  "proposals",
  "payments",
  "policy-changes",
  "spending-limits",
  "standing-orders",
  "passkeys",
  "passkey-signers",
  "wallet-exports",
  "account-releases",
  "wallet-imports",
  "sign-in",
  "legacy",
  "status",
  "sandbox-controls",
  "members",
];

/** The packages that are the service's own, which it is built of. The client library and the hooks are its users'. */
export const ownPackages = ["kernel", "program-client", "sandbox", "solana"] as const;

/** The folders that the service's sources stand in. */
export const ownSources: readonly string[] = ["src", ...ownPackages.map((name) => `packages/${name}/src`)];

/**
 * The module, layer or package that a file is of: the folder of `src/`, or the package; "ports" for the ports in the kernel, and
 * "" for files that stand higher and for what is not of the service.
 */
export function folderOf(file: string): string {
  const own = /^packages\/([^/]+)\/src\/(ports\/)?/.exec(file);
  if (own !== null) {
    if (own[1] === "kernel" && own[2] !== undefined) return "ports";
    return ownPackages.find((name) => name === own[1]) ?? "";
  }
  const [top, folder = ""] = file.split("/").slice(0, -1);
  return top === "src" ? folder : "";
}
