// BERT's lower-case WordPiece: a text to ids of pieces, as the `tokenizers` library computes them.

const IDEOGRAPHS = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b820, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
];
// a longer word is unknown
const LONGEST_WORD = 100;
const CONTROL = /\p{C}/u;
const SPACE = /\p{White_Space}/u;
const ACCENT = /\p{Mn}/gu;
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u;
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const SPECIAL_IN_TEXT = /(\[PAD\]|\[UNK\]|\[CLS\]|\[SEP\]|\[MASK\])/;

function isIdeograph(letter) {
  const code = letter.codePointAt(0);
  return IDEOGRAPHS.some(([first, last]) => first <= code && code <= last);
}

/** Remove control characters and accents, put spaces around ideographs, and lower the case. */
function normalize(text) {
  let cleaned = "";
  for (const letter of text) {
    if ("\t\n\r".includes(letter) || SPACE.test(letter)) cleaned += " ";
    else if (letter === "\0" || letter === "\ufffd" || CONTROL.test(letter)) continue;
    else cleaned += isIdeograph(letter) ? ` ${letter} ` : letter;
  }
  const plain = cleaned.normalize("NFD").replace(ACCENT, "");
  // letter by letter, as a final sigma has another lower case inside its word
  return Array.from(plain, (letter) => letter.toLowerCase()).join("");
}

/** Split at spaces; each punctuation mark is a word. */
function splitWords(text) {
  const words = [];
  let word = "";
  for (const letter of `${text} `) {
    const isMark = PUNCTUATION.test(letter);
    if (!isMark && !SPACE.test(letter)) {
      word += letter;
      continue;
    }
    if (word) words.push(word);
    word = "";
    if (isMark) words.push(letter);
  }
  return words;
}

export class WordPiece {
  /** `vocabulary` has the pieces in the order of their ids, as a list or as lines of a text. */
  constructor(vocabulary) {
    const pieces = typeof vocabulary === "string" ? vocabulary.trimEnd().split("\n") : vocabulary;
    this.ids = new Map(pieces.map((piece, id) => [piece, id]));
    const [pad, unknown, first, last] = SPECIAL.map((piece) => this.ids.get(piece));
    if (first === undefined) throw new Error("the vocabulary has no piece [CLS]");
    Object.assign(this, { pad, unknown, first, last });
  }

  /** Ids of at most `longest` pieces, [CLS] and [SEP] included. */
  encode(text, longest) {
    const ids = [];
    for (const part of text.split(SPECIAL_IN_TEXT)) {
      if (SPECIAL.includes(part)) ids.push(this.ids.get(part));
      else for (const word of splitWords(normalize(part))) ids.push(...this.#split(word));
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
