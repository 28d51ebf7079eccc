import { generateEd25519KeyPair } from "@trellis/kernel/crypto/ed25519.js";
import { signCheckpoint } from "@trellis/kernel/tlog/checkpoint.js";
import { emptyRoot, hashLeaf } from "@trellis/kernel/tlog/merkle.js";
import { formatVkey, parseSignatureLine, verifierOf } from "@trellis/kernel/tlog/note.js";
import { formatAddCheckpoint } from "@trellis/kernel/tlog/witness.js";
import { describe, expect, it } from "vitest";
import { useTestService } from "../../test/support/scene.js";
import { createWitnessSender } from "../adapters/witness-http.js";

const other = { name: "guardian.example/log", seed: generateEd25519KeyPair().seed };
const witness = useTestService({
  TRELLIS_AUDIT_ORIGIN: "service.example/audit",
  TRELLIS_AUDIT_WITNESSED_LOGS: formatVkey(verifierOf(other, "ed25519")),
});

describe("POST /audit/v1/add-checkpoint", () => {
  it("cosigns a log that the operator has configured, and no smaller one later", async () => {
    const send = createWitnessSender(`${witness.url}/audit/v1`);
    const root = hashLeaf(Buffer.from("first"));
    const checkpoint = signCheckpoint(other, { size: 1, root });
    const answer = await send(formatAddCheckpoint({ old: 0, proof: [], checkpoint }));
    expect(answer.status).toBe(200);
    expect(parseSignatureLine(answer.body.trimEnd())).toMatchObject({ name: "service.example/audit" });
    const smaller = signCheckpoint(other, { size: 0, root: emptyRoot() });
    expect(await send(formatAddCheckpoint({ old: 0, proof: [], checkpoint: smaller }))).toEqual({
      status: 409,
      body: "1\n",
    });
  });

  it("answers what it does not know and what is no request", async () => {
    const send = createWitnessSender(`${witness.url}/audit/v1`);
    const stranger = signCheckpoint({ ...other, name: "stranger.example" }, { size: 0, root: emptyRoot() });
    expect((await send(formatAddCheckpoint({ old: 0, proof: [], checkpoint: stranger }))).status).toBe(404);
    expect((await send("")).status).toBe(400);
    expect((await send("x".repeat(20_000))).status).toBe(413);
  });
});
