/** Who wants to hear of what, by name. */
export interface Topics<News> {
  /** Listens until the answer is called. */
  listen(name: string, hear: (news: News) => void): () => void;
  tell(name: string, news: News): void;
  readonly isEmpty: boolean;
}

/** No client listens yet. */
export function createTopics<News>(): Topics<News> {
  const byName = new Map<string, Set<(news: News) => void>>();
  return {
    listen: (name, hear) => {
      // One of its own for each listener, also where the same function listens twice.
      const own = (news: News) => hear(news);
      const listeners = byName.get(name) ?? new Set();
      byName.set(name, listeners.add(own));
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && byName.get(name) === listeners) byName.delete(name);
      };
    },
    tell: (name, news) => {
      const listeners = byName.get(name);
      // A copy: a listener that has heard enough stops listening.
      if (listeners !== undefined) for (const hear of [...listeners]) hear(news);
    },
    get isEmpty() {
      return byName.size === 0;
    },
  };
}
