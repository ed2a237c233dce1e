/* Each language has one word per game term (docs/development.md has the list). This test finds words that
 * are used instead by mistake on the page, in its previews, and in emails and notifications. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import pageBengali from './bn.json';
import pageDe from './de.json';
import pageEn from './en.json';
import pageEs from './es.json';
import pageFr from './fr.json';
import pageHi from './hi.json';
import pagePolish from './pl.json';
import pageRussian from './ru.json';
import pageRo from './ro.json';
import pageCroatian from './hr.json';
import pageSerbian from './sr-Latn.json';
import pageTelugu from './te.json';
import pageTamil from './ta.json';
import pageTurkish from './tr.json';

const ROOT = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** All texts of a language: the keys of emails begin with mail/. */
function everywhere(tag: string, page: Record<string, string>): Record<string, string> {
  const mails = readdirSync(new URL(`mail/templates/${tag}/`, ROOT)).filter((name) => name.endsWith('.txt'));
  return {
    ...page,
    ...Object.fromEntries(mails.map((name) => [`mail/${name}`, read(`mail/templates/${tag}/${name}`)])),
  };
}

const bengali = everywhere('bn', pageBengali);
const de = everywhere('de', pageDe);
const en = everywhere('en', pageEn);
const es = everywhere('es', pageEs);
const fr = everywhere('fr', pageFr);
const hi = everywhere('hi', pageHi);
const polish = everywhere('pl', pagePolish);
const russian = everywhere('ru', pageRussian);
const ro = everywhere('ro', pageRo);
const croatian = everywhere('hr', pageCroatian);
const serbian = everywhere('sr-Latn', pageSerbian);
const telugu = everywhere('te', pageTelugu);
const tamil = everywhere('ta', pageTamil);
const turkish = everywhere('tr', pageTurkish);

/* Hindi: खेल is also the stem of the verb. */
const HI_VERBS = '(?:सकते|सकता|रहे|रहा|चुके|चुका|ले|लिए|लेने|दी)';
/** Texts about a kind of game, such as Rummy 51. */
const HI_KINDS = [
  ...['enter.lead', 'fair.engine.other', 'fair.engine.same', 'fault.no_such_option', 'fault.no_such_variant'],
  ...['fault.password_is_context', 'guide.cheap.draw', 'guide.none', 'lobby.games', 'open.game'],
  ...['path.badge.about', 'path.others', 'practice.about', 'practice.no_engine', 'practice.other'],
  ...[
    'problem.bad_option',
    'problem.no_such_daily',
    'problem.no_such_variant',
    'problem.password_is_context',
  ],
  ...[
    'problem.stake_variant',
    'problem.variant_unknown',
    'puzzle.all_games',
    'puzzle.by_game',
    'puzzle.none',
  ],
  ...['refusal.ace_side_not_allowed', 'refusal.bad_move', 'refusal.no_drop_in_this_variant'],
  ...['refusal.no_rejoin_in_this_variant', 'rulebook.all', 'rulebook.pages.about', 'week.by_game'],
  ...[
    'head.home.title',
    'head.rules.title',
    'head.practice.description',
    'head.leaderboards.description',
    'head.invite.description',
  ],
];

/** where: a list of the keys that may contain the word, or a pattern for the only keys that must not
 * contain it. */
const STRAY: Record<string, [file: Record<string, string>, stray: string, where?: string[] | RegExp]> = {
  'discard, not throw': [en, 'throws?|thrown|threw'],
  'Kombination, not Meldung': [de, 'Auslagen?|Meldung(?:en)?', ['chat.send_report']],
  'abwerfen, not ablegen': [de, 'abgelegt|Ablegen'],
  'Erstmeldung, not Eröffnung': [
    de,
    '[Ee]röffn\\p{L}*',
    ['open.form', 'open.opening', 'open.submit', 'join.full.about', 'problem.not_host'],
  ],
  'Joker, not wild': [de, '[Ww]ild(?:e[nr]?)?(?!,)'],
  'optional, not freiwillig': [de, 'freiwillig'],
  'Nachziehstapel, not Talon': [de, '(?<!\\()Talon'],
  'fichas de plata and fichas de oro, not plata, which is money': [es, '(?<!de )(?:plata|oro)'],
  'robar, not sacar': [es, '[Ss]ac(?:ar|a|as|aste|ó)|[Ll]evant(?:ar|a|aste|ó)'],
  'tomar, not coger': [es, '[Cc]og(?:er|e|es|iste|ió|ido)|[Cc]oja'],
  'descartar, not tirar or botar': [es, '[Tt]ir(?:ar|a|as|aste|ó)|[Bb]ot(?:ar|a|as|aste|ó)'],
  'comodín, not joker': [es, '[Jj]okers?(?!,)'],
  'escalera, not secuencia or serie': [es, '[Ss]ecuencias?|[Ss]eries?'],
  'trío or cuarteto, not tercia or póker': [es, '[Tt]ercias?|[Pp]iernas?|[Pp][óo]ker'],
  'mazo, descartes and bote, not pozo': [es, '[Pp]ozos?|[Mm]ontes?'],
  'abrir is opening with melds, crear makes a table': [es, '[Aa]br(?:ir|e|iste|ió) (?:una|otra) mesa'],
  'persona, rival or quien, not jugador': [es, '[Jj]ugador\\p{L}*'],
  'apodo, not alias': [es, '[Aa]lias|[Nn]ick(?:name)?s?(?!\\})'],
  'correo, not email': [es, '(?<!\\{\\{)[Ee]-?mails?'],
  'clasificación, not ranking': [es, '[Rr]anking\\p{L}*'],
  'teléfono and dispositivo, which every country says': [
    es,
    '[Mm]óvil(?:es)?|[Cc]elular(?:es)?|[Oo]rdenador(?:es)?|[Cc]omputador\\p{L}*',
  ],
  'robot, not bot': [fr, '(?<!\\{\\{)bots?(?!,)'],
  'défausser, not jeter': [fr, 'jet(?:er|ez|té|tée)'],
  'valeur, not rang': [fr, 'rang'],
  'carte joker, not joker volant': [fr, 'jokers? volants?|cartes? libres?'],
  'pioche, not talon': [fr, '[Tt]alons?'],
  'pièces, not argent, which is money': [fr, '(?<!ièces? d’)argent'],
  'fausse annonce, not annonce fausse': [fr, '[Aa]nnonce fausse'],
  'finir, not terminer or tout poser': [fr, 'tout posé|Terminer (?:# fois )?en'],
  'vous, la personne or votre adversaire, not le joueur': [fr, '[Jj]oueurs?|[Gg]agnants?'],
  'vacances, not congés': [fr, '[Cc]ongés?'],
  'incorrect or erroné, not faux, for what somebody typed': [fr, '(?:passe|codes?)(?: est)? faux'],
  'मेल्ड, not मेल': [hi, 'मेलों|मेल(?= (?:में|के|को|बिछ))'],
  'सीक्वेंस, not क्रम': [hi, 'क्रमों|क्रम(?= (?:पर|को|में))'],
  'टेबल, not मेज़': [hi, 'मेज़(?!बान)\\p{M}*'],
  'ओपन डेक and क्लोज़्ड डेक, not ढेर': [hi, 'ढेर(?:ी|ों|ियों)?'],
  'निकनेम, not उपनाम': [hi, 'उपनाम'],
  'गोल्ड and सिल्वर, not सोना and चाँदी': [hi, 'सोन[ाे]|चाँदी'],
  'सेकंड, not से.': [hi, 'से\\.'],
  'कार्ड, not पत्ता': [hi, 'पत्त(?:ा|े|ों|ी)?'],
  'गेम for one that is played, खेल for what is played': [hi, `खेलों|खेल(?! ${HI_VERBS})`, HI_KINDS],
  'रेटेड, not रेटिंग वाला': [hi, 'रेटिंग वाल[ाेी]'],
  'सेशन, not सत्र': [hi, 'सत्र'],
  'विरोधी, not प्रतिद्वंद्वी': [hi, 'प्रतिद्वंद्वी'],
  'ग्रुप, not समूह': [hi, 'समूह(?:ों)?'],
  'रूम and लेवल, not कमरा and स्तर': [hi, 'कमर(?:ा|े|ों)|स्तर(?:ों)?'],
  'चिप्स, not चिप, for more than one': [hi, '(?<!# )चिप'],
  'मैसेज and रिक्वेस्ट, not संदेश and अनुरोध': [hi, '(?:संदेश|अनुरोध)(?:ों)?'],
  'सेव and शेयर करना, not सहेजना and साझा करना': [hi, 'सहेज\\p{M}*\\p{L}*\\p{M}*|साझा कर\\p{M}*\\p{L}*\\p{M}*'],
  'układ, not kombinacja or meldunek': [polish, '[Kk]ombinacj\\p{L}*|(?<!\\{)[Mm]eld\\p{L}*'],
  'sekwens, not sekwencja or strit': [polish, '[Ss]ekwencj\\p{L}*|[Ss]trit\\p{L}*'],
  'stos zakryty and stos odkryty, not talon or kupka': [polish, '[Tt]alon\\p{L}*|[Kk]upk\\p{L}*'],
  'dobrać, not ciągnąć': [polish, '(?:[Wwp]|[Pp]o|[Ww]y)?[Cc]iągn\\p{L}*'],
  'odrzucić, not wyrzucić or zrzucić': [polish, '(?:[Ww]y|[Zz])rzuc\\p{L}*'],
  'wyłożyć się, not otworzyć or wejść, for the first meld': [
    polish,
    '[Oo]twarci\\p{L}*|(?:[Oo]tw(?:órz|ierasz|orzyć)|[Ww]ejdź) (?:się|grę|za)',
  ],
  'spasować, not zrezygnować': [polish, '[Zz]?[Rr]ezyg\\p{L}*'],
  'zadeklarować, not zgłosić, for a complete hand': [
    polish,
    '[Zz]g(?:łoś|łosić|łaszasz|łasza|łoszeni\\p{L}*)',
    /^(?!chat|club|problem\.own)/,
  ],
  'kolor and wartość, not maść or ranga': [polish, '[Mm]aś(?:ć|ci\\p{L}*)|[Rr]ang(?!e)\\p{L}*'],
  'na ręku, not w ręce': [polish, 'w ręc[eu]|w ręku|na ręce'],
  'partia for one that is played, gra for what is played': [
    polish,
    '(?:[Tt]a|[Tt]woja) gra|(?:[Tt]ej|[Tt]wojej) gry|(?:koniec|wynik) gry',
    /^(?!fault|fair|guide|problem\.(?:bad_option|no_such_variant|variant_unknown))/,
  ],
  'ranking for a rating, klasyfikacja for a list': [polish, '(?<![{_])[Rr]ating\\p{L}*|[Tt]abel\\p{L}*'],
  'złota and złoto, not złoty, which is money': [polish, '[Zz]łot(?:y|e|ych|ymi)'],
  'zagadka, not łamigłówka': [polish, '[Łł]amigłów\\p{L}*'],
  'nick, not pseudonim or nazwa użytkownika': [polish, '[Pp]seudonim\\p{L}*|[Uu]żytkownik\\p{L}*'],
  'znajomi, not przyjaciele': [polish, '[Pp]rzyjaci\\p{L}*'],
  'e-mail, not mail or mejl': [polish, '(?<![{_/-])[Mm](?:ail|ejl)\\p{L}*|[Ee]mail\\p{L}*'],
  'ijekavian, not ekavian': [
    croatian,
    '(?:[Mm]est|[Vv]reme(?!n)|[Rr]eč|[Pp]obed|[Pp]romen|[Zz]amen|[Ss]ledeć|[Uu]pore[dđ]|[Ll]ep(?!tir)|[Dd]elj|[Dd]elit|[Rr]eš(?:en|av|it)|[Vv]redn|[Uu]me[ts]|[Gg]de|[Oo]vde|[Pp]osle|[Dd]vest|[Cc]el|[Ss]mem|[Nn]edelj)\\p{L}*',
  ],
  'tko, što, točka, and uvjet, not ko, šta, tačka, and uslov': [
    croatian,
    '(?:[Nn]i|[Ii])?ko|Ko|[Nn]eko(?! vrijeme)|[Šš]ta|[Tt]a(?:čk|čn)\\p{L}*|[Uu]slov\\p{L}*|[Hh]iljad\\p{L}*',
  ],
  'infinitive, not da with the present': [
    croatian,
    '(?:[Žž]eliš|[Mm]ožeš?|[Mm]oraš?|[Ss]miješ?|[Tt]rebaš?|[Mm]ogu|[Mm]oraju) da',
  ],
  'joker, not džoker': [croatian, '[Dd]žoker\\p{L}*'],
  'as and dečko, not kec and žandar': [croatian, '[Kk]e[cč]\\p{L}*|[Žž]andar\\p{L}*'],
  'špil and hrpa, not talon, which is the stock in Croatia': [croatian, '[Tt]alon\\p{L}*|[Gg]omil\\p{L}*'],
  'set, not grupa, which Indian games have': [
    croatian,
    '[Gg]rup\\p{L}*',
    /^(?:rulebook\.melds|choice|coach\.(?!declares)|meld)/,
  ],
  'runda for one that is played, ruka for what is held': [croatian, '[Rr]uk(?:a|e|om|ama)|[Hh]end\\p{L}*'],
  'bod, not poen or punat': [croatian, '[Pp]oen\\p{L}*|[Pp]unat'],
  'serija for days in a row, niz for cards': [croatian, '[Nn]iz\\p{L}*', /streak|^puzzle\.guest|^week\.then/],
  'dnevni izazov, misija, and zadatak, each for its own': [
    croatian,
    '(?:[Dd]ijeljenje|[Kk]arte) dana|[Zz]agonet\\p{L}*|[Tt]jedn\\p{L}+ zada\\p{L}*',
  ],
  'račun, not nalog': [croatian, '[Nn]alog\\p{L}*|[Gg]ostujuć\\p{L}*'],
  'ljestvica and popis, not lista': [croatian, '(?:[Rr]ang-)?[Ll]ist[aeiu]\\p{L}*'],
  'razina, not nivo': [croatian, '[Nn]ivo\\p{L}*'],
  'ekipa, not tim or momčad': [
    croatian,
    '[Tt]im(?:ov\\p{L}*|a|u|om)?|[Mm]omčad\\p{L}*',
    /^(?:tournament|head)/,
  ],
  'obavijest, postavke, preglednik, and stranica': [
    croatian,
    '[Oo]bav[ie]?[ij]?ešten\\p{L}*|[Pp]odešav\\p{L}*|[Pp]regledač\\p{L}*|[Ss]ajt\\p{L}*|[Dd]ugm\\p{L}*',
  ],
  'poslužitelj, not server': [croatian, '[Ss]erver\\p{L}*'],
  'ponovno, natrag, and trenutačno': [croatian, '[Pp]onovo|[Nn]azad|[Tt]renutno'],
  'e-mail, not imejl or e-pošta': [croatian, '(?:imejl|mejl|e-pošt|[Ii]mejl|[Ee]-pošt)\\p{L}*'],
  'కార్డ్, not ముక్క': [telugu, 'ముక్క[\\p{L}\\p{M}]*'],
  'టేబుల్, not బల్ల': [telugu, 'బల్ల[\\p{L}\\p{M}]*'],
  'ప్లేయర్, not ఆటగాడు, which is a man': [telugu, 'ఆటగా[\\p{L}\\p{M}]*|క్రీడాకారు[\\p{L}\\p{M}]*'],
  'ఓపెన్ డెక్ and క్లోజ్డ్ డెక్, not కుప్ప': [telugu, 'కుప్ప[\\p{L}\\p{M}]*|పైల్[\\p{L}\\p{M}]*'],
  'గోల్డ్ and సిల్వర్, not బంగారం and వెండి': [telugu, 'బంగార[\\p{L}\\p{M}]*|వెండి[\\p{L}\\p{M}]*'],
  'సీక్వెన్స్, not క్రమం': [telugu, 'క్రమాల[\\p{L}\\p{M}]*|క్రమంలో'],
  'అకౌంట్, not ఖాతా': [telugu, 'ఖాతా[\\p{L}\\p{M}]*'],
  'ఫ్రెండ్స్, not స్నేహితులు': [telugu, 'స్నేహిత[\\p{L}\\p{M}]*|మిత్రు[\\p{L}\\p{M}]*'],
  'రూల్స్, not నియమాలు': [telugu, 'నియమ[\\p{L}\\p{M}]*'],
  'దించండి for laying, వేయండి for discarding': [telugu, 'పరచ[\\p{L}\\p{M}]*|పారేయ[\\p{L}\\p{M}]*'],
  'vrednost, not rang': [serbian, 'ranga?(?!-)'],
  'talon, not gomila': [serbian, 'gomil\\p{L}*'],
  'džoker, not divlja karta': [serbian, 'divlj\\p{L}*'],
  'zatvoriti se, not izaći': [
    serbian,
    '[Ii]za(?:ći|đi|đe|đem|đete|šao|šla|šli|šle)|[Ii]zla[sz]\\p{L}*',
    ['bar.leave'],
  ],
  'hand, not hend': [serbian, '[Hh]end\\p{L}*'],
  'ruka for one that is played, deljenje for its cards': [
    serbian,
    'deljenj\\p{L}*',
    /^(?:drop|event|keys|leave|missed|prompt|refusal|result|rulebook\.(?!title)|score|seat|variant)/,
  ],
  'partija, not igra, for one that is played': [
    serbian,
    '[Ii]gra (?:je (?:završena|gotova)|(?:još )?ni(?:je|su) počel\\p{L}*|ne može|se nastavlja)|(?:kraj|tok) igre',
  ],
  'serija, not niz, for days in a row': [serbian, '[Nn]iz\\p{L}*', /streak|^puzzle\.guest|^week\.then/],
  'nalog gosta, not gostujući nalog': [serbian, '[Gg]ostujuć\\p{L}*'],
  'imejl, not mejl': [serbian, 'mejl\\p{L}*|e-pošt\\p{L}*'],
  'ё, not е': [
    russian,
    '[Ее]ще|[Ее]е|[Сс]вое|[Мм]ое|(?:по|на|при|пере)?(?:ждет|идет|йдет|берет|дает)|[Сс]чет|[Тт]рех|[Чч]етырех|вперед',
  ],
  'ряд, not последовательность, which only explains it': [
    russian,
    '[Пп]оследовательност\\p{L}*|[Сс]еквенц\\p{L}*|[Сс]трит\\p{L}*',
    ['rulebook.groups.sequence', 'rulebook.melds.run'],
  ],
  'сет, not набор, which is for sale': [
    russian,
    '[Кк]омплект\\p{L}*|[Нн]абор\\p{L}*',
    /^(?!shop\.|problem\.no_such_pack)/,
  ],
  'сброс and колода, not отбой, прикуп or талон': [russian, '[Оо]тбо[йяе]|[Пп]рикуп\\p{L}*|[Тт]алон\\p{L}*'],
  'карты на руках, not рука': [russian, '[Рр]ук(?:а|е|у|ой)'],
  'вскрыться, not объявить': [russian, '[Оо]бъявлени\\p{L}*|[Оо]бъявит(?:ь|е)|[Дд]екларир\\p{L}*'],
  'пас, not дроп': [russian, '[Дд]роп\\p{L}*'],
  'создать, not открыть, a table': [
    russian,
    '[Оо]ткр(?:ыть|ойте) (?:ещё один )?стол',
    ['problem.bad_ticket', 'share.qr_about'],
  ],
  'достоинство, not ранг or номинал': [russian, '[Рр]анг\\p{L}*|[Нн]оминал\\p{L}*'],
  'адрес почты and письмо, not имейл': [
    russian,
    '[Ии]-?мейл\\p{L}*|[Ее]-?мейл\\p{L}*|(?<!\\{\\{)[Ee]-?mails?',
  ],
  'аккаунт, not учётная запись': [russian, '[Уу]чётн\\p{L}*'],
  'ник, not никнейм or псевдоним': [russian, '[Нн]икнейм\\p{L}*|[Пп]севдоним\\p{L}*'],
  'ș and ț with a comma, not a cedilla': [ro, '\\p{L}*[şţŞŢ]\\p{L}*'],
  'terță and suită, not terț, grup de valori, or scară': [
    ro,
    '[Tt]erț(?:ul)?|[Ss]c(?:ară|ări)|[Ss]ecvenț\\p{L}*',
  ],
  'formație, not combinație': [ro, '[Cc]ombinați\\p{L}*'],
  'a arunca, not a decarta': [ro, '[Dd]ecart\\p{L}*'],
  'teanc and cărțile aruncate, not talon or grămadă': [ro, '[Tt]alon\\p{L}*|[Gg]răm\\p{L}*'],
  'a se etala, not a deschide, which is for a table': [
    ro,
    '[Dd]eschi\\p{L}*',
    /^(?:achievement|analysis|coach|event|guide|hint|lesson|missed|option|prompt|puzzle|refusal|rulebook|score|seat|stats|variant)/,
  ],
  'carte joker, not atu, which is another card in Romania': [ro, '[Aa]tu(?:l|uri)?'],
  'popă, not rege or crai': [ro, '[Rr]eg(?:e|ele|i|ii)|[Cc]rai\\p{L}*'],
  'pică, cupă, and caro, not inimă or romb': [ro, '[Ii]nim\\p{L}*|[Rr]omb\\p{L}*'],
  'persoană, cine, or adversar, not jucător': [ro, '[Jj]ucăt\\p{L}*'],
  'pseudonim, not poreclă': [ro, '[Pp]orecl\\p{L}*|(?<!\\{)[Nn]ick(?:name)?(?!\\})'],
  'e-mail, not email': [ro, '(?<![{_/])[Ee]?mail\\p{L}*(?<!-mail\\p{L}*)'],
  'problemă, not puzzle': [ro, '[Pp]uzzle\\p{L}*'],
  'cont de oaspete, not cont de invitat': [ro, '[Cc]ont(?:ul)? de (?:invitat|vizitator)'],
  'rambursare or retur, not refund': [ro, '[Rr]efund\\p{L}*'],
  'ரம்மி, not ரமி': [tamil, 'ரமி[\\p{L}\\p{M}]*'],
  'கார்டு, not சீட்டு, which is in சீட்டுக்கட்டு alone': [tamil, 'சீட்டு(?:கள்|களை|களில்|களின்)?'],
  'டேபிள் and சீட், not மேசை and இருக்கை': [tamil, '(?:மேசை|மேஜை|இருக்கை)[\\p{L}\\p{M}]*'],
  'சீக்வென்ஸ், not தொடர்வரிசை or ரன்': [tamil, '(?:தொடர்வரிசை|ரன்)[\\p{L}\\p{M}]*'],
  'ப்யூர், not பியூர் or தூய': [tamil, '(?:பியூர்|தூய)[\\p{L}\\p{M}]*'],
  'மெல்டு, not மெல்ட்': [tamil, 'மெல்ட்'],
  'ஓப்பன் டெக் and குளோஸ்டு டெக், not குவியல்': [tamil, '(?:குவியல்|ஓபன்|க்ளோஸ்)[\\p{L}\\p{M}]*'],
  'போடு, not எறி or வீசு': [tamil, '(?:எறி|வீசு)[\\p{L}\\p{M}]*'],
  'பாயிண்ட், not புள்ளி': [tamil, 'புள்ளி(?:கள்|களை|களில்)?'],
  'கேம், not விளையாட்டு': [tamil, 'விளையாட்ட?[\\p{L}\\p{M}]*'],
  'கோல்டு and சில்வர், not தங்கம் and வெள்ளி': [tamil, 'தங்க(?:ம்|த்[\\p{L}\\p{M}]*)|வெள்ளி[\\p{L}\\p{M}]*'],
  'கிளாவர், not கிளப், for a suit': [tamil, 'கிளப்', /^(?:cards|guide|settings)/],
  'குரூப் of cards, not குழு': [tamil, 'குழு[\\p{L}\\p{M}]*'],
  'டீம், டோர்னமெண்ட், and ரவுண்டு, not அணி, போட்டி, and சுற்று': [tamil, 'அணி(?:கள்)?|போட்டி(?:கள்)?|சுற்று(?:கள்)?'],
  'ஜெயி, not வெல்': [tamil, '(?:வெல்|வென்)[\\p{L}\\p{M}]*'],
  'நிக்நேம், not புனைபெயர் or பயனர்பெயர்': [tamil, '(?:புனைபெயர்|பயனர்)[\\p{L}\\p{M}]*'],
  'இமெயில் and பாஸ்வேர்டு, not மின்னஞ்சல் and கடவுச்சொல்': [tamil, '(?:மின்னஞ்சல்|கடவுச்சொல்|ஈமெயில்)[\\p{L}\\p{M}]*'],
  'சைன் இன், not உள்நுழைவு': [tamil, '(?:உள்நுழை|வெளியேறுதல்)[\\p{L}\\p{M}]*'],
  'açık deste and kapalı deste, not talon or ıskarta': [turkish, '[Tt]alon\\p{L}*|[Iı]skarta\\p{L}*'],
  'per, not kombinasyon': [turkish, '[Kk]ombinasyon\\p{L}*'],
  'kart, not kâğıt': [turkish, '[Kk][aâ]ğıt\\p{L}*'],
  'cins, not renk, for a suit': [turkish, '[Rr]eng\\p{L}*|[Rr]enk(?!li)\\p{L}*'],
  'bitirmek, not ilan etmek or beyan etmek': [turkish, '[İi]lan|[Bb]eyan'],
  'koltuk, not sandalye': [turkish, '[Ss]andalye\\p{L}*'],
  'masadan kalkmak, not ayrılmak': [
    turkish,
    '[Aa]yrıl\\p{L}*',
    /^(?!club\.|export\.|problem\.club|refusal\.already_left|wallet\.hold)/,
  ],
  'reyting, not rating': [turkish, '(?<![{_])[Rr]ating\\p{L}*|[Dd]erecelendir\\p{L}*'],
  'derece, not yer or sıralama, for a place': [turkish, '\\{place\\}\\.? (?:sıra|yer)\\p{L}*'],
  'takma ad, not rumuz or kullanıcı adı': [turkish, '[Rr]umuz\\p{L}*|[Kk]ullanıcı\\p{L}*'],
  'parola, not şifre': [turkish, '[Şş]ifre\\p{L}*'],
  'e-posta, not mail': [turkish, '(?<![{_/])(?:[Mm]ail|[Ee]posta)\\p{L}*'],
  'yazboz, not puan tablosu': [turkish, '[Pp]uan (?:tablosu|cetveli|çizelgesi)'],
  'কার্ড, not তাস or পাতা': [bengali, 'তাস\\p{M}*|তাসে[রই]|তাসগুলো|পাতা(?:টি|গুলো|র)?'],
  'ওপেন ডেক and ক্লোজড ডেক, not স্তূপ or গাদা': [bengali, '(?:স্তূপ|গাদা|পাইল|স্টক)[\\p{L}\\p{M}]*'],
  'সিকোয়েন্স, not রান or ক্রম, which is an order': [bengali, 'রান(?:টি|ে|ের)?|ক্রমে[র]?'],
  'পালা, not দান or টার্ন': [bengali, '(?:দান|টার্ন)(?:টি|ে|ের)?'],
  'ডিক্লেয়ার, not ঘোষণা': [bengali, 'ঘোষণা[\\p{L}\\p{M}]*', ['tournament.proof_text']],
  'গোল্ড and সিলভার, not সোনা and রুপা': [bengali, 'সোনা[\\p{L}\\p{M}]*|রু[পূ][\\p{L}\\p{M}]*'],
  'নিকনেম, not ডাকনাম': [bengali, 'ডাকনাম[\\p{L}\\p{M}]*'],
  'অ্যাকাউন্ট, not একাউন্ট or খাতা': [bengali, '(?:একাউন্ট|খাতা)[\\p{L}\\p{M}]*'],
  'ইমেল, not ইমেইল': [bengali, '(?:ইমেইল|ই-মেইল|ই-মেল)[\\p{L}\\p{M}]*'],
  'মিশন, not কোয়েস্ট': [bengali, 'কোয়েস্ট[\\p{L}\\p{M}]*'],
  'সঙ্গে, not সাথে': [bengali, 'সাথে'],
  'পুরনো, not পুরানো or পুরোনো': [bengali, 'পুর(?:া|ো)নো[\\p{L}\\p{M}]*'],
  'Latin digits, which all numbers of the page have': [bengali, '[০-৯]+'],
  'the danda, not a full stop': [bengali, '[\\u0980-\\u09ff]+\\.'],
  'şikâyet, hâl, and hâlâ with their circumflex': [turkish, '[Şş]ikayet\\p{L}*|[Hh]ala|halinde'],
};

const words = (forms: string) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${forms})(?![\\p{L}\\p{M}])`, 'u');

it.each(Object.entries(STRAY))('%s', (_, [file, stray, where = []]) => {
  const word = words(stray);
  const may = (key: string) => (where instanceof RegExp ? !where.test(key) : where.includes(key));
  expect(Object.entries(file).filter(([key, text]) => word.test(text) && !may(key))).toEqual([]);
});

it('no exemption is without a text that needs it', () => {
  const needless = Object.values(STRAY).flatMap(([file, stray, where]) =>
    Array.isArray(where) ? where.filter((key) => !words(stray).test(file[key] ?? '')) : [],
  );
  expect(needless).toEqual([]);
});

it('Hindi calls no kind of game गेम', () => {
  const both = ['puzzle.none'];
  expect(HI_KINDS.filter((key) => !both.includes(key) && words('गेम').test(hi[key] ?? ''))).toEqual([]);
});
