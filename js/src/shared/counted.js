/** A count with its noun: "1 sentence", "3 sentences". The plural is the noun with an s. */
export function counted(count, noun) {
  return `${count} ${noun}${Number(count) === 1 ? "" : "s"}`;
}
