/* Changes the text of a message and keeps its placeholders, to generate one message file from another. @messageformat/parser
 * reads ICU MessageFormat, and this module writes it. */
import { parse, type Token } from '@messageformat/parser';

type Change = (text: string) => string;

/** Quotes curly brackets and number signs in the text with apostrophes. */
function quoted(text: string, inPlural: boolean): string {
  const special = inPlural ? /[{}#]+/g : /[{}]+/g;
  return text.replaceAll("'", "''").replace(special, (signs) => `'${signs}'`);
}

function written(tokens: readonly Token[], change: Change, inPlural: boolean): string {
  return tokens.map((token) => one(token, change, inPlural)).join('');
}

function one(token: Token, change: Change, inPlural: boolean): string {
  switch (token.type) {
    case 'content':
      return quoted(change(token.value), inPlural);
    case 'octothorpe':
      return '#';
    case 'argument':
      return `{${token.arg}}`;
    case 'function':
      return `{${token.arg}, ${token.key}${token.param ? `,${written(token.param, (text) => text, false)}` : ''}}`;
    default: {
      const plural = token.type !== 'select';
      const offset = plural && token.pluralOffset ? ` offset:${token.pluralOffset}` : '';
      const cases = token.cases.map(
        ({ key, tokens }) => ` ${key} {${written(tokens, change, plural || inPlural)}}`,
      );
      return `{${token.arg}, ${token.type},${offset}${cases.join('')}}`;
    }
  }
}

/** Applies `change` to each piece of text in the message. */
export function rewritten(message: string, change: Change): string {
  return written(parse(message), change, false);
}

export interface Place {
  name: string;
  kind: 'value' | 'number' | 'date' | 'time' | 'plural' | 'selectordinal' | 'select' | (string & {});
  /** The cases of a plural or select. */
  cases: string[];
}

/** The placeholders of a message, including nested ones, in order of appearance. */
export function placesOf(message: string): Place[] {
  const found: Place[] = [];
  const walk = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'argument') found.push({ name: token.arg, kind: 'value', cases: [] });
      else if (token.type === 'function') found.push({ name: token.arg, kind: token.key, cases: [] });
      else if ('cases' in token) {
        found.push({ name: token.arg, kind: token.type, cases: token.cases.map(({ key }) => key) });
        for (const { tokens: inner } of token.cases) walk(inner);
      }
    }
  };
  walk(parse(message));
  return found;
}
