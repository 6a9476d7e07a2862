// Title and explanation of each stage. They depend on what the method has: a softmax, pushes,
// dropout.

/** What the loss of a moment has; `dropout` is false if the method changes words instead. */
export function traits({ groups, settings }) {
  const isWrong = ({ counts, positive }) =>
    counts.some((row, index) => row.some((counted, column) => counted && !positive[index][column]));
  return {
    softmax: groups.some(({ weight }) => weight),
    pushes: groups.some(isWrong),
    dropout: settings.some(({ name }) => name === "dropout_hidden"),
  };
}

/** [title, explanation] of each stage, by its name. */
export const textsOf = ({ pushes, dropout }) => ({
  sentences: [
    "Sentences",
    "The batch. Choose a sentence to follow it; untick one to leave it out.",
  ],
  table: [
    dropout ? "Table, dropout on" : "Table, changed words",
    "The similarities of the views, as the loss sees them. Row: the sentence that looks for its partner. Column: a candidate. The outlined cells are the right ones; a struck-out cell does not count.",
  ],
  softmax: [
    "Softmax of this row",
    "Each similarity divided by τ, as a power of e, and shared out: the candidates share 100 %. The loss is −log of the right one's share.",
  ],
  pulls: [
    pushes ? "Who pulls, who pushes" : "Who pulls",
    `How strongly each candidate acts on this sentence's vector: the length of its part of the gradient. ${
      pushes
        ? "In a softmax, a push has its share ÷ τ as weight, and the pull has the weight of all pushes together."
        : "Only the sentence's own second view pulls; nothing pushes."
    }`,
  ],
  plane: [
    "In the plane",
    `The vectors in the two directions in which they differed most at the start. ${
      pushes
        ? "Arrows: the pushes on this sentence; its own second view, which pulls, is not drawn."
        : "There are no arrows, because nothing pushes; the sentence's own second view, which pulls, is not drawn."
    }`,
  ],
  nearest: [
    dropout ? "Who is nearest? dropout off" : "Who is nearest? unchanged words",
    `The encoder as it would be used after training: one pass, ${
      dropout ? "without dropout" : "with unchanged words"
    }.`,
  ],
});
