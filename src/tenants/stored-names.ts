/** The known names of a stored JSON array; a name that a later version dropped grants nothing. */
export function namesIn<Name extends string>(json: string, known: readonly Name[]): Name[] {
  const stored: unknown = JSON.parse(json);
  return Array.isArray(stored) ? known.filter((name) => stored.includes(name)) : [];
}
