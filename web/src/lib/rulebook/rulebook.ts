/* The rules of a table in sentences, derived from the parameters by which the engine plays, so that options
 * of a table change the text. A test checks that every field that changes a rule changes a sentence. */
import type { Card } from '$lib/cards/cards';
import { say, type MessageKey, type Values } from '$lib/messages/messages';
import { HAND_CLOCK_BACK_S, packSize, type Rules } from '$lib/rules/rules';
import { amountSaid } from '$lib/ui/amount';
import { openingExample, PICTURES } from './examples';

export interface Line {
  text: string;
  /** Melds that illustrate the text. */
  cards: Card[][];
}
export interface Section {
  id: (typeof SECTIONS)[number]['id'];
  title: string;
  lines: Line[];
}

/** Adds a line to a section. */
type Tell = (key: MessageKey, values?: Values, cards?: Card[][]) => void;

/** More jokers than a meld can hold, which means unlimited. */
const ANY_NUMBER = 14;

function tellAim(rules: Rules, tell: Tell) {
  tell(`rulebook.aim.${rules.family}`);
  if (rules.pool) tell('rulebook.aim.pool', { target: rules.target });
  else if (rules.start_points > 0)
    tell('rulebook.aim.deals', { n: rules.session_hands, start: rules.start_points * rules.session_hands });
  else if (rules.target > 0) tell('rulebook.aim.target', { target: rules.target, n: rules.session_hands });
  else tell('rulebook.aim.hands', { n: rules.session_hands });
}

function tellDeal(rules: Rules, tell: Tell) {
  const { packs, jokers, deal, deal_two, players_min, players_max } = rules;
  tell('rulebook.deal.players', { least: players_min, most: players_max });
  tell('rulebook.deal.packs', { packs, jokers, cards: packSize(rules) });
  if (deal === deal_two) tell('rulebook.deal.each', { n: deal });
  else tell('rulebook.deal.each_or_two', { n: deal, two: deal_two });
  if (rules.starter_extra) tell('rulebook.deal.starter');
  if (rules.face_up_start) tell('rulebook.deal.face_up');
  if (rules.wild_scope > 0)
    tell(rules.wild_scope === 2 ? 'rulebook.deal.wild_exact' : 'rulebook.deal.wild_rank');
}

function tellTurn(rules: Rules, tell: Tell) {
  tell(`rulebook.turn.${rules.family}`);
  if (rules.discard_obliges)
    tell(rules.taken_discard_in_opening ? 'rulebook.turn.obliges_with_it' : 'rulebook.turn.obliges');
  tell(rules.throw_back ? 'rulebook.turn.throw_back' : 'rulebook.turn.no_throw_back');
  if (rules.family === 'declare') tell('rulebook.turn.open_joker');
  else if (rules.jokers > 0) tell(rules.joker_buried ? 'rulebook.turn.bury' : 'rulebook.turn.joker_last');
  if (rules.one_card_rule) tell('rulebook.turn.one_card');
  if (rules.stock_flips > 0) tell('rulebook.turn.flip', { n: rules.stock_flips });
  else tell('rulebook.turn.shuffle');
  if (rules.family === 'meld' && rules.stock_flips === 0)
    tell(rules.last_discard_forced ? 'rulebook.turn.last_forced' : 'rulebook.turn.last_free');
  tell('rulebook.turn.clock', { s: rules.turn_s });
  if (rules.hand_s > 0) tell('rulebook.turn.hand_clock', { s: rules.hand_s, back: HAND_CLOCK_BACK_S });
  const late = rules.family === 'meld' || rules.drop_first === 0 ? 'bot' : 'drop';
  tell('rulebook.turn.away', { n: rules.timeouts_max, late });
}

function tellAce(rules: Rules, tell: Tell) {
  const { ace_low: low, ace_high: high } = rules;
  const side = low && high ? 'both' : low ? 'low' : high ? 'high' : 'none';
  tell('rulebook.melds.ace', { side }, [
    ...(low ? [PICTURES.aceLow] : []),
    ...(high ? [PICTURES.aceHigh] : []),
  ]);
}

function tellMelds(rules: Rules, tell: Tell) {
  tell('rulebook.melds.run', { n: rules.run_max }, [PICTURES.run]);
  tell('rulebook.melds.set', { most: rules.set_max === 3 ? 'three' : 'four' }, [PICTURES.set]);
  tellAce(rules, tell);
  if (rules.jokers === 0) return;
  tell('rulebook.melds.joker', { ratio: rules.jokers_ratio }, [PICTURES.joker]);
  tell('rulebook.melds.joker_set', { n: rules.jokers_set_max });
  if (rules.jokers_apart) tell('rulebook.melds.apart');
  if (rules.jokers_opening_max < ANY_NUMBER)
    tell('rulebook.melds.joker_opening', { n: rules.jokers_opening_max });
  tell(rules.joker_joins_set ? 'rulebook.melds.joker_joins' : 'rulebook.melds.joker_stays_out');
}

function tellGroups(rules: Rules, tell: Tell) {
  tell('rulebook.groups.sequence', { n: rules.run_max }, [PICTURES.run]);
  tellAce(rules, tell);
  tell('rulebook.groups.set', {}, [PICTURES.set]);
  tell('rulebook.groups.joker', {}, [PICTURES.joker]);
  tell('rulebook.groups.pure', { wild: rules.wild_scope > 0 ? rules.wild_natural_pure : 2 });
}

function tellOpening(rules: Rules, tell: Tell) {
  tell(rules.meld_in_round_1 ? 'rulebook.opening.round_1' : 'rulebook.opening.round_2');
  if (rules.opening_min === 0) {
    tell('rulebook.opening.none');
    return;
  }
  tell('rulebook.opening.min', { n: rules.opening_min });
  const example = openingExample(rules);
  if (example) tell('rulebook.opening.example', { n: example.worth }, example.melds);
  tell(rules.below_minimum ? 'rulebook.opening.returned' : 'rulebook.opening.refused');
}

function tellTable(rules: Rules, tell: Tell) {
  const opens = rules.opening_min > 0 ? 'yes' : 'no';
  tell(rules.lay_off_unopened ? 'rulebook.table.lay_off_any' : 'rulebook.table.lay_off', { opens }, [
    PICTURES.longer,
  ]);
  if (rules.jokers > 0) {
    tell('rulebook.table.swap', { opens }, [PICTURES.joker, PICTURES.swap]);
    tell(rules.swap_set_full ? 'rulebook.table.swap_full' : 'rulebook.table.swap_set');
    tell(rules.swapped_joker_kept ? 'rulebook.table.joker_kept' : 'rulebook.table.joker_used');
  }
  tell('rulebook.table.out');
}

function tellDeclare(rules: Rules, tell: Tell) {
  tell('rulebook.declare.how', {}, PICTURES.declaration);
  tell('rulebook.declare.wrong', { n: rules.wrong_points });
  tell('rulebook.declare.group', { s: rules.group_s });
  if (rules.drop_first > 0)
    tell('rulebook.declare.drop', { first: rules.drop_first, middle: rules.drop_middle });
  else tell('rulebook.declare.no_drop');
  if (rules.leave_points > 0) tell('rulebook.declare.leave', { n: rules.leave_points });
  else tell('rulebook.declare.leave_drop');
}

function tellPoints(rules: Rules, tell: Tell) {
  tell('rulebook.points.number', { court: rules.court_points });
  const aces = [
    ...(rules.ace_low ? [rules.ace_low_points] : []),
    ...(rules.ace_high ? [rules.ace_high_points] : []),
    rules.ace_points,
  ];
  if (aces.every((n) => n === rules.ace_points)) tell('rulebook.points.ace', { n: rules.ace_points });
  else {
    if (rules.ace_low) tell('rulebook.points.ace_low', { n: rules.ace_low_points });
    if (rules.ace_high) tell('rulebook.points.ace_high', { n: rules.ace_high_points });
    tell('rulebook.points.ace_else', { n: rules.ace_points });
  }
  if (rules.jokers > 0) tell(`rulebook.points.joker.${rules.family}`, { n: rules.joker_points });
}

function tellRummy(rules: Rules, tell: Tell) {
  const { rummy_winner_factor: winner, rummy_losers_factor: losers } = rules;
  const scoresMore = rules.hand_win_points !== rules.win_points;
  if (scoresMore) tell('rulebook.score.rummy', { n: amountSaid(rules.hand_win_points) });
  if (winner > 1) tell('rulebook.score.rummy_winner', { n: winner });
  if (losers > 1) tell('rulebook.score.rummy_losers', { n: losers });
  if (!scoresMore && winner === 1 && losers === 1) tell('rulebook.score.rummy_plain');
}

function tellMeldScores(rules: Rules, tell: Tell) {
  if (rules.winner_takes) tell('rulebook.score.takes');
  else {
    tell('rulebook.score.winner', { n: amountSaid(rules.win_points) });
    tell(rules.hands_negative ? 'rulebook.score.loser_minus' : 'rulebook.score.loser');
  }
  if (rules.never_opened_points > 0) tell('rulebook.score.unopened', { n: rules.never_opened_points });
  tellRummy(rules, tell);
  tell(rules.lowest_wins ? 'rulebook.score.lowest' : 'rulebook.score.nobody', { n: rules.stall_turns });
}

function tellDeclareScores(rules: Rules, tell: Tell) {
  tell('rulebook.score.declare', { n: rules.points_cap });
  if (rules.winner_takes) tell('rulebook.score.deals');
  else tell(rules.session_hands > 1 ? 'rulebook.score.adds_up' : 'rulebook.score.collects');
  tell('rulebook.score.stall', { n: rules.stall_turns, takes: rules.winner_takes ? 'yes' : 'no' });
  if (rules.rejoin_max > 0) tell('rulebook.score.rejoin', { n: rules.rejoin_max });
  if (rules.tie_hands) tell('rulebook.score.tie_hands');
}

function tellScores(rules: Rules, tell: Tell) {
  if (rules.family === 'meld') tellMeldScores(rules, tell);
  else tellDeclareScores(rules, tell);
  if (!rules.pool) tell(rules.best_high ? 'rulebook.score.high' : 'rulebook.score.low');
  tell(rules.ties_share ? 'rulebook.score.ties_share' : `rulebook.score.ties.${rules.family}`);
}

const SECTIONS = [
  { id: 'aim', family: null, tell: tellAim },
  { id: 'deal', family: null, tell: tellDeal },
  { id: 'turn', family: null, tell: tellTurn },
  { id: 'melds', family: 'meld', tell: tellMelds },
  { id: 'groups', family: 'declare', tell: tellGroups },
  { id: 'opening', family: 'meld', tell: tellOpening },
  { id: 'table', family: 'meld', tell: tellTable },
  { id: 'declare', family: 'declare', tell: tellDeclare },
  { id: 'points', family: null, tell: tellPoints },
  { id: 'score', family: null, tell: tellScores },
] as const;

/** All rules that a player needs, in the language of the page. */
export function rulebook(rules: Rules): Section[] {
  return SECTIONS.filter(({ family }) => family === null || family === rules.family).map(({ id, tell }) => {
    const lines: Line[] = [];
    tell(rules, (key, values = {}, cards = []) => lines.push({ text: say(key, values), cards }));
    return { id, title: say(`rulebook.title.${id}`), lines };
  });
}
