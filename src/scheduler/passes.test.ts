import { describe, expect, it } from "vitest";
import { leaveOpen } from "../../test/support/open-submissions.js";
import { useTestNetwork } from "../../test/support/scene.js";
import { breakConnection } from "../../test/support/test-network.js";
import { findSubmission } from "../submissions/submission-store.js";
import { completeOpenWork } from "./passes.js";

const test = useTestNetwork({ each: true });

describe("a pass over open work", () => {
  it("completes the rest when the chain refuses the bytes of one submission, and reports that one", async () => {
    const broken = await leaveOpen(test, 1_000_000n, (wire) => wire.slice(0, 40));
    test.needs.realClock.advance(1);
    const sound = await leaveOpen(test, 2_000_000n);
    await completeOpenWork(test.needs, test.network);
    expect(await stateOf(sound)).toBe("landed");
    expect(await stateOf(broken)).toBe("signed");
    expect(test.logLines.filter(({ level }) => level === "error").map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ submission: broken }),
    ]);
  });

  it("leaves everything for the next one while the chain does not answer", async () => {
    const id = await leaveOpen(test, 1_000_000n);
    const silent = breakConnection(test.network, () => true);
    await completeOpenWork(test.needs, silent);
    expect(await stateOf(id)).toBe("signed");
    expect(test.logLines.map(({ level }) => level)).toContain("warn");
    await completeOpenWork(test.needs, test.network);
    expect(await stateOf(id)).toBe("landed");
  });
});

const stateOf = async (id: string) => (await findSubmission(test.needs.db, id))?.state;
