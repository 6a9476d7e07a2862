// A question in which words are buttons: "Without [the push](push=0), who …".

import { button } from "./dom.js";

const BUTTON = /\[([^\]]+)\]\(([^)]+)\)/;

/** What the first button of a question does; undefined if it has none. */
export const firstAct = (question) => question.match(BUTTON)?.[2];

/** The words of a question and its buttons; `act` is called with the text in a button's brackets. */
export function playable(question, act) {
  return question
    .split(/(\[[^\]]+\]\([^)]+\))/)
    .filter(Boolean)
    .map((part) => {
      const [, words, does] = part.match(BUTTON) ?? [];
      return words ? button("", words, () => act(does)) : part;
    });
}
