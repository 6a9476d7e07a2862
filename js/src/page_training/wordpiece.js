// BERT's lower-case WordPiece: a text to ids of pieces, as the `tokenizers` library computes them.

const IDEOGRAPH =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
// a longer word is unknown
const LONGEST_WORD = 100;
const SPACE = /[\t\n\r\p{White_Space}]/gu;
const REMOVED = /[\ufffd\p{C}]/gu;
const ACCENT = /\p{Mn}/gu;
// each punctuation mark is a word
const WORD = /[!-/:-@[-`{-~\p{P}]|[^ !-/:-@[-`{-~\p{P}]+/gu;
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const SPECIAL_IN_TEXT = /(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])/;

/** The words of a text in lower case, without control characters and accents; each ideograph is one. */
function wordsOf(text) {
  const cleaned = text.replace(SPACE, " ").replace(REMOVED, "").replace(IDEOGRAPH, " $& ");
  const plain = cleaned.normalize("NFD").replace(ACCENT, "");
  // letter by letter, as a final sigma has another lower case inside its word
  const lower = Array.from(plain, (letter) => letter.toLowerCase()).join("");
  return lower.match(WORD) ?? [];
}

export class WordPiece {
  /** `vocabulary` has the pieces in the order of their ids. */
  constructor(vocabulary) {
    this.ids = new Map(vocabulary.map((piece, id) => [piece, id]));
    const [pad, unknown, first, last] = SPECIAL.map((piece) => this.ids.get(piece));
    Object.assign(this, { pad, unknown, first, last });
  }

  /** Ids of at most `longest` pieces, [CLS] and [SEP] included. */
  encode(text, longest) {
    const ids = [];
    for (const part of text.split(SPECIAL_IN_TEXT)) {
      if (SPECIAL.includes(part)) ids.push(this.ids.get(part));
      else for (const word of wordsOf(part)) ids.push(...this.#split(word));
    }
    return [this.first, ...ids.slice(0, longest - 2), this.last];
  }

  /** The longest known beginning, then the longest known continuation, and so on. */
  #split(word) {
    const letters = Array.from(word);
    if (letters.length > LONGEST_WORD) return [this.unknown];
    const ids = [];
    let start = 0;
    while (start < letters.length) {
      const prefix = start ? "##" : "";
      let end = letters.length;
      let id;
      while (end > start && id === undefined) {
        id = this.ids.get(prefix + letters.slice(start, end).join(""));
        end -= 1;
      }
      if (id === undefined) return [this.unknown];
      ids.push(id);
      start = end + 1;
    }
    return ids;
  }
}
