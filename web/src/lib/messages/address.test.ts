/* How each language addresses players. A button label is the player's order to the page, so it is "Baci" in Serbian
 * and Croatian, and an infinitive in German, Spanish, and French. */
import { describe, expect, it } from 'vitest';
import bengali from './bn.json';
import de from './de.json';
import es from './es.json';
import fr from './fr.json';
import hi from './hi.json';
import croatian from './hr.json';
import polish from './pl.json';
import russian from './ru.json';
import ro from './ro.json';
import serbian from './sr-Latn.json';
import telugu from './te.json';
import tamil from './ta.json';
import turkish from './tr.json';

const word = (forms: string, flags = 'iu') => new RegExp(`(?<!\\p{L})(?:${forms})(?!\\p{L})`, flags);

/** Each sentence that ends with a period, colon, or the like. Button labels have no such sentences. */
const sentences = (file: object) =>
  Object.entries(file as Record<string, string>).flatMap(([key, text]) =>
    /[.!?:]/.test(text) ? text.split(/[.!?:{}]/).map((part) => [key, part.trim()] as const) : [],
  );
const familiar = (file: object, forms: RegExp) =>
  Object.entries(file).filter(([, text]) => forms.test(text as string));
const beginning = (file: object, forms: RegExp) => sentences(file).filter(([, part]) => forms.test(part));

describe('German says Sie', () => {
  it('without du', () => expect(familiar(de, word('du|dein\\p{L}*|dir|dich'))).toEqual([]));

  it('and without a command to a friend', () => {
    const commands =
      /^(?:sieh|schau|nimm|gib|wirf|leg|lege|zieh|ziehe|tippe|wähle?|beginne?|warte|öffne|prüfe?|versuche?|lies|geh|komm|spiel|ordne|gruppiere?)(?!\p{L})(?! Sie)/iu;
    /* A player sends these to a friend. */
    expect(beginning(de, commands)).toEqual([
      ['ghost.share', 'Spiel dieselben Karten wie ich'],
      ['share.text', 'Spiel mit mir'],
    ]);
  });
});

describe('Spanish says tú', () => {
  it('without usted, vosotros, or vos', () => {
    const forms = 'usted(?:es)?|vosotr[oa]s|vuestr[oa]s?|os|vos|sos|\\p{L}+[áéí]is|podés|tenés|querés';
    expect(familiar(es, word(forms))).toEqual([]);
  });

  it('and turns both signs of a question or an exclamation', () => {
    const signs = (text: string) => ['¿', '?', '¡', '!'].map((sign) => text.split(sign).length);
    const single = Object.entries(es).filter(([, text]) => {
      const [opens, closes, calls, called] = signs(text);
      return opens !== closes || calls !== called;
    });
    expect(single).toEqual([]);
  });
});

it('French says vous', () => {
  expect(familiar(fr, word('tu|te|toi|ton|ta|tes|t’\\p{L}+'))).toEqual([]);
});

it('Hindi says आप', () => {
  const forms = 'तू|तुम|तुझे|तुम्हें|तुम्हारा|तुम्हारी|तुम्हारे|तेरा|तेरी|तेरे|करो|चुनो|फेंको|लो|दो बारा';
  expect(familiar(hi, new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u'))).toEqual([]);
});

it('Bengali says আপনি', () => {
  const pronouns = 'তুমি|তোমা(?:র|কে|দের|য়)|তোমরা|তুই|তো(?:র|কে|রা)';
  const orders = 'করো|খেলো|ফেলো|তোলো|নামাও|সাজাও|বাছো|নাও|দাও|যাও|দেখো|লেখো|খোলো|টেপো|শেখো';
  const forms = `${pronouns}|${orders}`;
  expect(familiar(bengali, new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u'))).toEqual([]);
});

describe('Tamil says நீங்கள்', () => {
  const letters = (forms: string) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u');

  it('without நீ', () => {
    const forms = 'நீ|உன்|உன்னை|உனக்கு|உன்னுடைய|உன்னால்|[\\p{L}\\p{M}]+(?:கிறாய்|ந்தாய்|த்தாய்|வாய்)';
    expect(familiar(tamil, letters(forms))).toEqual([]);
  });

  it('and nothing that shows whether a man or a woman plays', () => {
    const forms = 'அவன்|அவள்|இவன்|இவள்|[\\p{L}\\p{M}]+(?:கிறான்|கிறாள்|த்தான்|த்தாள்|ந்தான்|ந்தாள்)';
    expect(familiar(tamil, letters(forms))).toEqual([]);
  });
});

it('Romanian says tu', () => {
  /* About two or more players. */
  const both =
    /^(?:chat\.friends|friendship\.friends|ghost\.result|news\.friend\.accepted|rulebook\.score\.rejoin)$/;
  const polite = word(
    'dumneavoastr\\p{L}*|dvs|vă|v-\\p{L}+|aveți|puteți|sunteți|vreți|doriți|alegeți|apăsați|trageți|aruncați|încercați',
  );
  expect(familiar(ro, polite).filter(([key]) => !both.test(key))).toEqual([]);
});

describe('Polish says ty', () => {
  it('without pan, pani, or wy', () => {
    /* About two players. */
    const both = ['chat.friends', 'friends.remove.about', 'friendship.friends', 'ghost.result'];
    const polite = word(
      'pana?|panu|panem|pani|panią|państw\\p{L}*|was|wam|wami|wasz\\p{L}*|macie|możecie|musicie|jesteście|\\p{L}+jcie',
    );
    expect(familiar(polish, polite).filter(([key]) => !both.includes(key))).toEqual([]);
  });

  it('and shows no gender of players', () => {
    expect(familiar(polish, word('\\p{L}+ł[ea]ś|\\p{L}+ła?byś'))).toEqual([]);
  });
});

describe('Serbian says vi', () => {
  const ours = new Set(['naš', 'vaš', 'još', 'baš', 'koš', 'miš']);

  it('without ti', () => {
    expect(familiar(serbian, word('ti(?! igrači)|tebe|tebi|tobom|tvoj\\p{L}*'))).toEqual([]);
  });

  it('and without its verbs', () => {
    const verbs = familiar(serbian, word('\\p{L}+[aei]š')).flatMap(([key, text]) =>
      ((text as string).toLowerCase().match(/\p{L}+[aei]š(?!\p{L})/gu) ?? []).map((verb) => [key, verb]),
    );
    expect(verbs.filter(([, verb]) => !ours.has(verb ?? ''))).toEqual([]);
  });

  it('in sentences; only a button is told in one word what to do', () => {
    /* An imperative that exists in both forms, baci and bacite. Some third-person forms do, too. */
    const others = new Set(['radi', 'želi']);
    const all = new Set(
      Object.values(serbian)
        .join(' ')
        .toLowerCase()
        .match(/\p{L}+/gu),
    );
    const commands = sentences(serbian).filter(([key, part]) => {
      const [first = ''] = part.toLowerCase().match(/^\p{L}+/u) ?? [];
      const stops = /[.]$/.test(Reflect.get(serbian, key) as string);
      return stops && /[ij]$/.test(first) && !others.has(first) && all.has(`${first}te`);
    });
    expect(commands).toEqual([]);
  });
});

describe('Russian says вы', () => {
  it('without ты, and in lower case', () => {
    expect(familiar(russian, word('ты|тебя|тебе|тобой|тво[йяёеиюй]\\p{L}*'))).toEqual([]);
    expect(familiar(russian, /(?<=[\p{L},;] )(?:Вы|Вас|Вам|Вами|Ваш\p{L}*)(?!\p{L})/u)).toEqual([]);
  });

  it('and no past tense, which has a gender, of a player', () => {
    const past = /\{(?:who|nick|nickname|owner)\}(?: не)? \p{L}+л(?:а|ся|ась)?(?!\p{L})|\((?:а|ась)\)/u;
    expect(familiar(russian, past)).toEqual([]);
  });
});

it('Turkish says sen', () => {
  /* About two players. */
  const both = ['chat.friends', 'friends.remove.about', 'friendship.friends', 'ghost.result'];
  const polite = word(
    'siz(?:in|i|den|le)?|size(?!\\})|\\p{L}+(?:sınız|siniz|sunuz|sünüz|ınız|iniz|unuz|ünüz)\\p{L}*',
    'u',
  );
  expect(familiar(turkish, polite).filter(([key]) => !both.includes(key))).toEqual([]);
});

it('Telugu says మీరు', () => {
  const forms = 'నువ్వు|నీవు|నీకు|నీ|నిన్ను|నీతో|చెయ్|ఆడు|తియ్యి|చూడు';
  expect(familiar(telugu, new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u'))).toEqual([]);
});

describe('Croatian says ti', () => {
  it('without vi and its verbs', () => {
    /* About two players. */
    const both = ['chat.friends', 'friends.remove.about', 'friendship.block', 'friendship.friends'];
    const two = [...both, 'ghost.result', 'news.friend.accepted'];
    const polite = word('vi|vas|vama?|vaš\\p{L}*|ste|niste|[ćn]ete|nećete|\\p{L}+(?:ajte|ujte|[eijr]ite)');
    expect(familiar(croatian, polite).filter(([key]) => !two.includes(key))).toEqual([]);
  });

  it('and nothing that shows whether a man or a woman plays', () => {
    const he = '\\p{L}+(?:ao|io|eo|uo|la)';
    const gendered = word(`(?:ni)?si ${he}|${he} si|(?:ni)?si \\p{L}+(?:en|an)|bi(?:o|la) ti`);
    expect(familiar(croatian, gendered)).toEqual([]);
  });
});
