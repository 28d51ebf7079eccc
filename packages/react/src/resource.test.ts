import { TrellisApiError } from "@trellis/sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createResource } from "./resource.js";
import { createValue } from "./value.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a resource that is read and rendered", () => {
  it("keeps its value while it is read again, and when that fails", async () => {
    const { reader, resource } = setUp();
    const stop = resource.watch(0);
    expect(resource.get()).toMatchObject({ data: undefined, isLoading: true });
    reader.last()?.answer("one");
    await settle();
    expect(resource.get()).toMatchObject({ data: "one", isLoading: false });
    const again = resource.refetch();
    expect(resource.get()).toMatchObject({ data: "one", isLoading: true });
    reader.last()?.fail(new Error("no answer"));
    await again;
    expect(resource.get()).toMatchObject({ data: "one", isLoading: false, error: { message: "no answer" } });
    stop();
  });

  it("is asked anew for a caller who asks while an answer is on its way, and once for all such callers", async () => {
    const { reader, resource } = setUp();
    const stop = resource.watch(0);
    const both = Promise.all([resource.refetch(), resource.refetch()]);
    reader.last()?.answer("from before the payment");
    await settle();
    expect(reader.asked).toHaveLength(2);
    reader.last()?.answer("from after it");
    await both;
    expect(resource.get().data).toBe("from after it");
    expect(reader.asked).toHaveLength(2);
    stop();
  });

  it("is read anew after a change: at once where it is rendered, otherwise when it is rendered again", async () => {
    const { reader, resource } = setUp();
    const stop = resource.watch(0);
    reader.last()?.answer("one");
    await settle();
    const done = resource.invalidate();
    reader.last()?.answer("two");
    await done;
    expect(resource.get().data).toBe("two");
    stop();
    await resource.invalidate();
    expect(reader.asked).toHaveLength(2);
    const stopAgain = resource.watch(0);
    expect(reader.asked).toHaveLength(3);
    expect(resource.get()).toMatchObject({ data: "two", isLoading: true });
    reader.last()?.answer("three");
    await settle();
    stopAgain();
    resource.watch(0)();
    expect(reader.asked).toHaveLength(3);
  });

  it("is polled at the shortest interval its readers ask for, and not at all without readers", async () => {
    const { reader, resource } = setUp();
    const slow = resource.watch(60_000);
    const eager = resource.watch(1_000);
    for (const value of ["one", "two", "three"]) {
      reader.last()?.answer(value);
      await settle();
      expect(resource.get().data).toBe(value);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(reader.asked).toHaveLength(4);
    reader.last()?.answer("four");
    await settle();
    eager();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reader.asked).toHaveLength(4);
    slow();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reader.asked).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not read without subscribers, and is read at once for a new subscriber", async () => {
    const { visible, reader, resource } = setUp();
    const stop = resource.watch(1_000);
    reader.last()?.answer("one");
    await settle();
    visible.set(false);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(reader.asked).toHaveLength(1);
    visible.set(true);
    await settle();
    expect(reader.asked).toHaveLength(2);
    stop();
    reader.last()?.answer("two");
    await settle();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is asked less often while there are errors, and not before the service says", async () => {
    const { reader, resource } = setUp();
    const stop = resource.watch(1_000);
    reader.last()?.fail(new Error("no answer"));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(reader.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reader.asked).toHaveLength(2);
    const answer = { status: 429, code: "rate_limit_exceeded", message: "", details: [], requestId: undefined };
    reader.last()?.fail(new TrellisApiError({ ...answer, retryAfterSeconds: 30 }));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(reader.asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(reader.asked).toHaveLength(3);
    stop();
  });

  it("is read once for a component that mounts, unmounts and mounts again, as in strict mode", async () => {
    const { reader, resource } = setUp();
    resource.watch(1_000)();
    const stop = resource.watch(1_000);
    expect(reader.asked).toHaveLength(1);
    reader.last()?.answer("one");
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** A reader that answers when it is told to. */
function createReader() {
  const asked: { answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = () =>
    new Promise<string>((answer, fail) => {
      asked.push({ answer, fail });
    });
  return { asked, read, last: () => asked[asked.length - 1] };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

function setUp() {
  const visible = createValue(true);
  const reader = createReader();
  const visibility = { isVisible: visible.get, subscribe: visible.subscribe };
  return { visible, reader, resource: createResource({ read: reader.read, visibility }) };
}
