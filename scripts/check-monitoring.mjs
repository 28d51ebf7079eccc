// Holds the alert rules and the scrape configuration against promtool, plays the rules on made-up figures (alerts-test.yml), and
// with a URL of a running service's metrics checks those too. Needs promtool (Debian: prometheus), named by PROMTOOL where it is
// not in the path; the gate does without.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const promtool = process.env.PROMTOOL ?? "promtool";
const folder = fileURLToPath(new URL("../deploy/monitoring/", import.meta.url));
const run = (args, input) => {
  const { status, error } = spawnSync(promtool, args, {
    stdio: [input === undefined ? "ignore" : "pipe", 1, 2],
    input,
  });
  if (error) process.stderr.write(`promtool cannot be run: ${error.message}\n`);
  return status === 0;
};

// promtool wants the token's file to be there.
const place = mkdtempSync(join(tmpdir(), "monitoring-"));
for (const name of ["alerts.yml", "alerts-test.yml", "prometheus.yml"])
  copyFileSync(join(folder, name), join(place, name));
writeFileSync(join(place, "metrics-token"), "a token for the check alone\n");
let ok = run(["check", "config", join(place, "prometheus.yml")]);
ok = run(["test", "rules", join(place, "alerts-test.yml")]) && ok;
rmSync(place, { recursive: true });

const [url] = process.argv.slice(2);
if (url !== undefined) {
  const token = process.env.TRELLIS_METRICS_TOKEN;
  const answer = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  // Those of the process and of Node.js have the names that their library gives them, some against Prometheus' advice.
  const own = (await answer.text()).split("\n").filter((line) => /^(# \w+ )?trellis_/.test(line));
  ok = answer.ok && run(["check", "metrics"], `${own.join("\n")}\n`) && ok;
}
process.exit(ok ? 0 : 1);
