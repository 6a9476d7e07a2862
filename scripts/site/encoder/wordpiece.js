// BERT's lower-case WordPiece: a text to numbers of pieces, as the `tokenizers` library gives them.

const IDEOGRAPHS = [
  [0x4e00, 0x9fff], [0x3400, 0x4dbf], [0x20000, 0x2a6df], [0x2a700, 0x2b73f], [0x2b740, 0x2b81f], [0x2b820, 0x2ceaf],
  [0xf900, 0xfaff], [0x2f800, 0x2fa1f],
];
const LONGEST = 100; // letters of a word; longer ones are unknown
const CONTROL = /\p{C}/u;
const SPACE = /[\p{White_Space}]/u;
const MARK = /\p{Mn}/gu;
const POINT = /[!-/:-@[-`{-~\p{P}]/u;

const isIdeograph = (letter) => {
  const code = letter.codePointAt(0);
  return IDEOGRAPHS.some(([first, last]) => first <= code && code <= last);
};

/** Control characters away, ideographs apart, accents away, small letters. */
function normal(text) {
  let out = "";
  for (const letter of text) {
    if ("\t\n\r".includes(letter)) out += " ";
    else if (letter === "\ufffd" || CONTROL.test(letter)) continue;
    else if (SPACE.test(letter)) out += " ";
    else out += isIdeograph(letter) ? ` ${letter} ` : letter;
  }
  return Array.from(out.normalize("NFD").replace(MARK, ""), (letter) => letter.toLowerCase()).join("");
}

/** Words and punctuation marks, each mark alone. */
function words(text) {
  const found = [];
  let word = "";
  const end = () => {
    if (word) found.push(word);
    word = "";
  };
  for (const letter of text) {
    if (SPACE.test(letter)) end();
    else if (POINT.test(letter)) {
      end();
      found.push(letter);
    } else word += letter;
  }
  end();
  return found;
}

export class WordPiece {
  /** `vocabulary`: words in the order of their numbers, the numbers cls, sep and unk, and special pieces, `special`. */
  constructor(vocabulary, most) {
    this.numbers = new Map(vocabulary.words.map((word, number) => [word, number]));
    this.names = vocabulary.words;
    this.ends = vocabulary;
    this.most = most;
    const escaped = vocabulary.special.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    this.special = new RegExp(`(${escaped.join("|")})`);
    this.aside = new Set(vocabulary.special);
  }

  /** Numbers of the pieces, [CLS] and [SEP] included, at most as many as the encoder takes. */
  encode(text) {
    const found = [];
    for (const part of text.split(this.special)) {
      if (this.aside.has(part)) found.push(this.numbers.get(part));
      else for (const word of words(normal(part))) found.push(...this.pieces(word));
    }
    return [this.ends.cls, ...found.slice(0, this.most - 2), this.ends.sep];
  }

  /** The longest known beginning, then the longest known continuation, and so on; unknown if one is missing. */
  pieces(word) {
    const letters = Array.from(word);
    if (letters.length > LONGEST) return [this.ends.unk];
    const found = [];
    for (let start = 0; start < letters.length; ) {
      let end = letters.length;
      let number;
      for (; end > start; end--) {
        number = this.numbers.get((start ? "##" : "") + letters.slice(start, end).join(""));
        if (number !== undefined) break;
      }
      if (end === start) return [this.ends.unk];
      found.push(number);
      start = end;
    }
    return found;
  }
}
