import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/**
 * Starts a service of its own on a free port, with its data in a directory; resolves once it answers. It is a sandbox unless
 * further variables say otherwise. `main`: another program than the one that was built here.
 */
export async function startSandbox(directory, further = {}, main = built) {
  const apiKey = `sk_test_${randomBytes(24).toString("hex")}`;
  const variables = {
    PORT: "0",
    TRELLIS_DATA_DIR: directory,
    TRELLIS_API_KEY: apiKey,
    TRELLIS_RATE_LIMIT: "0",
    TRELLIS_TENANT_RATE_LIMIT: "0",
    ...further,
  };
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...variables, TRELLIS_LOG_LEVEL: "fatal" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      const [, found] = /Trellis answers at\s+(\S+)/.exec(said) ?? [];
      if (found) resolve(found);
    });
    ended.then((code) => reject(new Error(`Trellis ended with ${code}: ${said}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, apiKey, stop };
}

/** What an account has of the sandbox's USDC, in base units, according to the chain. */
export async function usdcOf({ url, apiKey }, owner) {
  const response = await fetch(`${url}/api/service/v1/sandbox/rpc`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "getTokenAccountsByOwner",
      params: [owner, { programId: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }, { encoding: "jsonParsed" }],
    }),
  });
  const { result } = await response.json();
  return result.value[0]?.account.data.parsed.info.tokenAmount.amount;
}
