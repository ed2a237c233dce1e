"""Frames of the live tables and the lobby. Made by scripts/bundle from asyncapi.yaml; do not change it here."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


# ---- Close codes
# The table is closed.
OVER = 1000
# Too many bad frames.
BAD_FRAMES = 1008
# The server can't continue this connection; reconnect with the back-off below.
INTERNAL = 1011
# The database or the node is busy; reconnect with the back-off below.
TRY_LATER = 1013
# You left the table.
LEFT = 4000
# The server is restarting, or another node has the table; the server sent `restarting` or `moved` first.
RESTARTING = 4001
# A newer socket of the same seat took over.
REPLACED = 4003
# The server can't continue this table; do not reconnect, its stakes are returned.
LOST = 4004
# The session that requested the ticket has ended; sign in again, unless you have another session.
SESSION_ENDED = 4005
# The client did not read; reconnect.
TOO_SLOW = 4008
# The ticket is invalid, was already used, or has expired.
BAD_TICKET = 4401
# This seat is not yours, or you left it.
FORBIDDEN = 4403
# Too many commands.
FLOODING = 4429

# Retry delays after some of them.
BACK_OFF_CODES = (1011, 1013)
BACK_OFF_FIRST_MS = 1000
BACK_OFF_FACTOR = 2
BACK_OFF_MOST_MS = 60000
BACK_OFF_RESET_MS = 60000


# ---- Types
class Clock(TypedDict):
    seat: int | None
    ms_left: int
    turn_ms: int
    stopped: NotRequired[bool]
    hand_ms_left: NotRequired[list[int]]


class Club(TypedDict):
    """Club whose members alone can sit down and watch; absent at other tables"""

    id: Id
    name: str | None


class FrameAck(TypedDict):
    t: Literal["ack"]
    id: CommandId
    v: Version


class FrameAway(TypedDict):
    v: Version
    t: Literal["away"]
    seat: Seat
    d: EmptyValue


class FrameCancelDraw(TypedDict):
    t: Literal["cancel_draw"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameCancelled(TypedDict):
    t: Literal["cancelled"]
    d: FrameCancelledD


class FrameCancelledD(TypedDict):
    reason: str


class FrameChat(TypedDict):
    t: Literal["chat"]
    d: FrameChatD


class FrameChatCommand(TypedDict):
    t: Literal["chat"]
    id: CommandId
    d: FrameChatCommandD


class FrameChatCommandD(TypedDict):
    text: str


class FrameChatD(TypedDict):
    id: Id
    seat: Seat
    text: str
    at: str


class FrameClock(TypedDict):
    t: Literal["clock"]
    d: Clock


class FrameDealt(TypedDict):
    v: Version
    t: Literal["dealt"]
    seat: Seat
    d: FrameDealtD


class FrameDealtD(TypedDict):
    cards: NotRequired[Cards]
    n: int
    hand_no: int
    stock_n: int


class FrameDeclare(TypedDict):
    t: Literal["declare"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameDeclareD


class FrameDeclareD(TypedDict):
    groups: list[list[Card]]
    finish: Card


class FrameDeclared(TypedDict):
    v: Version
    t: Literal["declared"]
    seat: Seat
    d: FrameDeclaredD


class FrameDeclaredD(TypedDict):
    valid: bool
    groups: Groups
    rest: Cards
    finish: Card
    points: NotRequired[int]
    code: NotRequired[str]


class FrameDiscard(TypedDict):
    t: Literal["discard"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameDiscardD


class FrameDiscardD(TypedDict):
    cards: list[Card]


class FrameDiscarded(TypedDict):
    v: Version
    t: Literal["discarded"]
    seat: Seat | None
    d: FrameDiscardedD


class FrameDiscardedD(TypedDict):
    cards: Cards
    buried: bool


class FrameDraw(TypedDict):
    t: Literal["draw"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameDrawD


class FrameDrawCancelled(TypedDict):
    v: Version
    t: Literal["draw_cancelled"]
    seat: Seat
    d: FrameDrawCancelledD


class FrameDrawCancelledD(TypedDict):
    card: Card


FrameDrawD = TypedDict("FrameDrawD", {
    "from": 'Literal["stock", "discard"]',
})


class FrameDrew(TypedDict):
    v: Version
    t: Literal["drew"]
    seat: Seat
    d: FrameDrewD


FrameDrewD = TypedDict("FrameDrewD", {
    "from": 'Literal["stock", "discard"]',
    "card": 'NotRequired[Card]',
    "must_open": 'bool',
})


class FrameDrop(TypedDict):
    t: Literal["drop"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameDropped(TypedDict):
    v: Version
    t: Literal["dropped"]
    seat: Seat
    d: FrameDroppedD


class FrameDroppedD(TypedDict):
    points: int
    kind: Literal["first", "middle", "left"]


class FrameEliminated(TypedDict):
    v: Version
    t: Literal["eliminated"]
    seat: Seat
    d: FrameEliminatedD


class FrameEliminatedD(TypedDict):
    total: int


class FrameEmote(TypedDict):
    t: Literal["emote"]
    d: FrameEmoteD


class FrameEmoteCommand(TypedDict):
    t: Literal["emote"]
    id: CommandId
    d: FrameEmoteCommandD


class FrameEmoteCommandD(TypedDict):
    name: Emote


class FrameEmoteD(TypedDict):
    id: Id
    seat: Seat
    name: EmoteValue
    at: str


class FrameFairness(TypedDict):
    t: Literal["fairness"]
    d: FrameFairnessD


class FrameFairnessD(TypedDict):
    commit: Hex
    server_seed: Hex
    client_seeds: list[Hex]
    table_id: Id
    hand_no: int
    key_text: str


class FrameFlip(TypedDict):
    t: Literal["flip"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameFlipped(TypedDict):
    v: Version
    t: Literal["flipped"]
    seat: Seat
    d: FrameFlippedD


class FrameFlippedD(TypedDict):
    stock_n: int
    card: Card


class FrameFriends(TypedDict):
    t: Literal["friends"]
    d: FrameFriendsD


class FrameFriendsD(TypedDict):
    items: list[FrameFriendsDItemsItem]


class FrameFriendsDItemsItem(TypedDict):
    player_id: str
    nickname: str
    avatar: str
    state: Literal["lobby", "waiting", "playing"]
    table_id: str | None


class FrameGroup(TypedDict):
    t: Literal["group"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameGroupD


class FrameGroupD(TypedDict):
    groups: list[list[Card]]
    done: NotRequired[bool]


class FrameGrouped(TypedDict):
    v: Version
    t: Literal["grouped"]
    seat: Seat
    d: FrameGroupedD


class FrameGroupedD(TypedDict):
    done: bool
    groups: NotRequired[Groups]
    rest: NotRequired[Cards]


class FrameHandEnded(TypedDict):
    v: Version
    t: Literal["hand_ended"]
    d: FrameHandEndedD


class FrameHandEndedD(TypedDict):
    winner: int | None
    ending: Ending
    rummy: bool


class FrameLaidOff(TypedDict):
    v: Version
    t: Literal["laid_off"]
    seat: Seat
    d: FrameLaidOffD


class FrameLaidOffD(TypedDict):
    meld: MeldId
    card: Card
    end: EndValue | None


class FrameLayOff(TypedDict):
    t: Literal["lay_off"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameLayOffD


class FrameLayOffD(TypedDict):
    card: Card
    meld: MeldId
    end: NotRequired[End]


class FrameLeave(TypedDict):
    t: Literal["leave"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameLeft(TypedDict):
    v: Version
    t: Literal["left"]
    seat: Seat
    d: EmptyValue


class FrameLegal(TypedDict):
    t: Literal["legal"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[FrameLegalD]


class FrameLegalD(TypedDict):
    hints: NotRequired[bool]


class FrameLegalMoves(TypedDict):
    t: Literal["legal"]
    id: CommandId
    v: Version
    d: FrameLegalMovesD


class FrameLegalMovesD(TypedDict):
    types: list[Literal[
        "draw", "cancel_draw", "meld", "take_back", "lay_off", "swap", "discard", "flip", "declare", "group",
        "drop", "rejoin"]
    ]
    moves: list[Move]


class FrameLobby(TypedDict):
    t: Literal["lobby"]
    d: FrameLobbyD


class FrameLobbyChanged(TypedDict):
    t: Literal["lobby_changed"]
    d: FrameLobbyChangedD


class FrameLobbyChangedD(TypedDict):
    rooms: list[LobbyRoom]
    games: NotRequired[list[LobbyGame]]
    tables: list[LobbyTable]
    gone: list[Id]
    online: int
    playing: int


class FrameLobbyD(TypedDict):
    rooms: list[LobbyRoom]
    games: list[LobbyGame]
    tables: list[LobbyTable]
    online: int
    playing: int


class FrameMeld(TypedDict):
    t: Literal["meld"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameMeldD


class FrameMeldD(TypedDict):
    cards: list[Card]


class FrameMelded(TypedDict):
    v: Version
    t: Literal["melded"]
    seat: Seat
    d: FrameMeldedD


class FrameMeldedD(TypedDict):
    meld: MeldId
    kind: MeldKind
    cards: Cards
    low: Low
    staged: bool
    worth: int


class FrameMoved(TypedDict):
    t: Literal["moved"]
    d: FrameMovedD


class FrameMovedD(TypedDict):
    ws_url: str


class FrameNack(TypedDict):
    t: Literal["nack"]
    id: CommandId | None
    code: Literal[
        "not_your_turn", "not_playing", "must_draw_first", "already_drawn", "nothing_to_cancel",
        "stock_only", "card_not_held", "no_such_meld", "not_staged", "meld_too_short", "not_a_meld",
        "set_repeats_suit", "run_not_consecutive", "run_wraps_ace", "ace_side_not_allowed",
        "jokers_adjacent", "too_many_jokers", "set_is_complete", "joker_cannot_join_set", "end_not_named",
        "does_not_fit", "no_opening_in_first_round", "opening_below_minimum", "must_open_first",
        "must_open_this_turn", "must_keep_a_discard", "joker_not_discardable", "discard_count",
        "discard_was_just_taken", "swapped_joker_unused", "swap_needs_full_set", "swap_card_does_not_fit",
        "no_joker_there", "discard_pile_is_empty", "stock_is_empty", "nothing_to_flip", "one_card_rule",
        "turn_too_long", "open_joker_not_takeable", "no_drop_in_this_variant", "drop_after_draw",
        "out_of_this_hand", "hand_is_declared", "nothing_declared", "grouping_is_final",
        "no_rejoin_in_this_variant", "not_out_of_the_pool", "rejoin_between_hands", "rejoin_too_late",
        "not_away", "already_left", "bad_move", "grouping_incomplete", "needs_pure_sequence",
        "needs_two_sequences", "bad_json", "bad_utf8", "duplicate_member", "unknown_member",
        "missing_member", "wrong_type", "out_of_range", "bad_length", "bad_format", "scope_missing",
        "no_such_table", "seat_is_given", "not_seated", "table_over", "table_lost", "bad_ticket",
        "bad_frame", "unknown_type", "frame_too_big", "flooding", "stale_base", "bad_seed", "seed_is_given",
        "seed_too_late", "not_between_hands", "not_started", "not_host", "no_bots_here", "bad_text",
        "unknown_emote", "chat_too_fast", "chat_muted", "paused", "internal", "busy", "draining"
    ]
    cards: Cards
    text: str


class FrameNextHand(TypedDict):
    t: Literal["next_hand"]
    d: FrameNextHandD


class FrameNextHandD(TypedDict):
    hand_no: int
    commit: Hex
    starts_in_ms: int
    asked: list[Seat]
    ready: list[Seat]


class FrameNotification(TypedDict):
    t: Literal["notification"]
    d: FrameNotificationD


class FrameNotificationD(TypedDict):
    id: Id
    at: str
    kind: str
    data: dict[str, Any]


class FrameOpened(TypedDict):
    v: Version
    t: Literal["opened"]
    seat: Seat
    d: FrameOpenedD


class FrameOpenedD(TypedDict):
    sum: int


class FramePaused(TypedDict):
    t: Literal["paused"]
    d: EmptyValue


class FramePing(TypedDict):
    t: Literal["ping"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FramePlayedForYou(TypedDict):
    t: Literal["played_for_you"]
    d: FramePlayedForYouD


class FramePlayedForYouD(TypedDict):
    from_v: int
    to_v: int
    turns: int
    time_outs: int
    melds: int
    lay_offs: int
    opening: int | None
    thrown: list[Card]
    drop_points: int | None
    hands: int
    points: int
    reserve_used_ms: int
    reserve_left_ms: int


class FramePong(TypedDict):
    t: Literal["pong"]
    id: CommandId
    d: FramePongD


class FramePongD(TypedDict):
    now: str


class FramePresence(TypedDict):
    t: Literal["presence"]
    d: FramePresenceD


class FramePresenceD(TypedDict):
    seat: Seat
    on: bool


class FrameReady(TypedDict):
    t: Literal["ready"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameRejoin(TypedDict):
    t: Literal["rejoin"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameRejoined(TypedDict):
    v: Version
    t: Literal["rejoined"]
    seat: Seat
    d: FrameRejoinedD


class FrameRejoinedD(TypedDict):
    total: int


class FrameRematch(TypedDict):
    t: Literal["rematch"]
    d: FrameRematchD


class FrameRematchD(TypedDict):
    table_id: Id
    seats: list[Seat]


class FrameReshuffled(TypedDict):
    v: Version
    t: Literal["reshuffled"]
    d: FrameReshuffledD


class FrameReshuffledD(TypedDict):
    stock_n: int


class FrameRestarting(TypedDict):
    t: Literal["restarting"]
    d: FrameRestartingD


class FrameRestartingD(TypedDict):
    retry_ms: int


class FrameResumed(TypedDict):
    t: Literal["resumed"]
    d: EmptyValue


class FrameReturn(TypedDict):
    t: Literal["return"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[Empty]


class FrameReturned(TypedDict):
    v: Version
    t: Literal["returned"]
    seat: Seat
    d: EmptyValue


class FrameScored(TypedDict):
    v: Version
    t: Literal["scored"]
    seat: Seat
    d: FrameScoredD


class FrameScoredD(TypedDict):
    points: int
    total: int
    bonus: int
    place: Place
    cards: Cards
    opened: bool
    won: bool
    rummy: bool
    left: bool
    dropped: bool
    wrong: bool
    out: bool
    sat_out: bool
    groups: NotRequired[Groups]
    rest: NotRequired[Cards]


class FrameSeed(TypedDict):
    t: Literal["seed"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameSeedD


class FrameSeedD(TypedDict):
    seed: str


class FrameSessionEnded(TypedDict):
    v: Version
    t: Literal["session_ended"]
    d: FrameSessionEndedD


class FrameSessionEndedD(TypedDict):
    winner: int | None
    winners: list[Seat]
    totals: Totals


class FrameSettled(TypedDict):
    t: Literal["settled"]
    d: FrameSettledD


class FrameSettledD(TypedDict):
    game_id: Id
    seats: list[SettledSeat]


class FrameSnapshot(TypedDict):
    t: Literal["snapshot"]
    v: Version
    d: FrameSnapshotD


class FrameSnapshotD(TypedDict):
    table: FrameSnapshotDTable
    variant: str
    params: dict[str, int]
    hand_no: int
    totals: Totals
    bonus: Totals
    me: int | None
    phase: Literal["waiting", "draw", "play", "hand_over", "over", "group"]
    to_move: int | None
    starter: int | None
    seats: list[TableSeat]
    hand: Cards
    stock_n: int
    discard: list[Card]
    melds: list[MeldOnTable]
    turn: TurnState
    wild: None | FrameSnapshotDWild1
    dropped: list[Seat]
    wrong: list[Seat]
    sat_out: list[Seat]
    eliminated: list[Seat]
    to_group: list[Seat]
    declarer: int | None
    may_take: bool
    drop_points: int
    may_rejoin: bool
    rejoin_total: int
    grouping: None | FrameSnapshotDGrouping1
    clock: Clock | None
    result: None | FrameSnapshotDResult1


class FrameSnapshotDGrouping1(TypedDict):
    groups: Groups
    rest: Cards


class FrameSnapshotDResult1(TypedDict):
    """Result of the last hand, once it is over"""

    winner: int | None
    winners: list[Seat]
    rummy: bool
    ending: Ending
    seats: list[Score]


class FrameSnapshotDTable(TypedDict):
    id: Id
    variant: str
    room: RoomName
    visibility: Visibility
    hand_no: int
    commit: Hex
    stake: int
    reward: int
    multiplier: Multiplier
    turn_hours: NotRequired[int]
    same_deal: NotRequired[Literal[True]]
    daily: NotRequired[Literal[True]]
    club: NotRequired[Club]


class FrameSnapshotDWild1(TypedDict):
    card: Card
    rank: Rank


class FrameSwap(TypedDict):
    t: Literal["swap"]
    id: CommandId
    base: NotRequired[Version]
    d: FrameSwapD


class FrameSwapD(TypedDict):
    card: Card
    meld: MeldId
    joker: NotRequired[Card]


class FrameSwapUndone(TypedDict):
    v: Version
    t: Literal["swap_undone"]
    seat: Seat
    d: FrameSwapUndoneD


class FrameSwapUndoneD(TypedDict):
    meld: MeldId
    card: Card
    joker: Card
    place: int


class FrameSwapped(TypedDict):
    v: Version
    t: Literal["swapped"]
    seat: Seat
    d: FrameSwappedD


class FrameSwappedD(TypedDict):
    meld: MeldId
    card: Card
    joker: Card
    place: int


class FrameTakeBack(TypedDict):
    t: Literal["take_back"]
    id: CommandId
    base: NotRequired[Version]
    d: NotRequired[FrameTakeBackD]


class FrameTakeBackD(TypedDict):
    meld: NotRequired[MeldId]


class FrameTakenBack(TypedDict):
    v: Version
    t: Literal["taken_back"]
    seat: Seat
    d: FrameTakenBackD


class FrameTakenBackD(TypedDict):
    meld: MeldId
    cards: Cards


class FrameTimedOut(TypedDict):
    v: Version
    t: Literal["timed_out"]
    seat: Seat
    d: FrameTimedOutD


class FrameTimedOutD(TypedDict):
    in_a_row: int


class FrameTournamentsChanged(TypedDict):
    t: Literal["tournaments_changed"]
    d: FrameTournamentsChangedD


class FrameTournamentsChangedD(TypedDict):
    items: list[FrameTournamentsChangedDItemsItem]


class FrameTournamentsChangedDItemsItem(TypedDict):
    id: Id
    state: Literal["open", "running", "ended", "cancelled"]
    people: int
    bots: int
    round: int
    next_at: str | None


class FrameTurn(TypedDict):
    v: Version
    t: Literal["turn"]
    seat: Seat
    d: FrameTurnD


class FrameTurnD(TypedDict):
    round: int
    phase: Literal["draw", "play"]


class FrameWaiting(TypedDict):
    t: Literal["waiting"]
    d: FrameWaitingD


class FrameWaitingD(TypedDict):
    variant: str
    room: RoomName
    visibility: Visibility
    commit: Hex
    stake: int
    reward: int
    multiplier: Multiplier
    turn_hours: NotRequired[int]
    same_deal: NotRequired[Literal[True]]
    daily: NotRequired[Literal[True]]
    club: NotRequired[Club]
    seats: list[WaitingSeat]
    bots: bool
    bots_n: int
    host: int | None
    starts_in_ms: int | None


class FrameWaitingFor(TypedDict):
    t: Literal["waiting_for"]
    d: FrameWaitingForD


class FrameWaitingForD(TypedDict):
    seat: Seat
    ends_in_ms: int


class FrameWatchers(TypedDict):
    t: Literal["watchers"]
    d: FrameWatchersD


class FrameWatchersD(TypedDict):
    n: int


class FrameWild(TypedDict):
    v: Version
    t: Literal["wild"]
    d: FrameWildD


class FrameWildD(TypedDict):
    card: Card
    rank: Rank


class LobbyGame(TypedDict):
    """A game that has players."""

    variant: str
    playing: int
    waiting: int


class LobbyRoom(TypedDict):
    id: str
    name: str
    variant: str
    seats: int
    stake: int
    reward: int
    level_required: int
    open: bool
    bots: bool
    bot_accounts: bool
    people: int
    tables: int


class LobbyTable(TypedDict):
    """A public table. Players can join it while it is waiting, and can watch any table that allows it."""

    id: Id
    room: str | None
    variant: str
    state: Literal["waiting", "playing"]
    seats: int
    people: int
    bots: int
    stake: int
    options: dict[str, Any]
    watch: bool
    bot_accounts: bool
    turn_hours: int | None


class MeldOnTable(TypedDict):
    id: MeldId
    kind: MeldKind
    owner: Seat
    low: Low
    suit: Literal["C", "S", "H", "D"] | None
    staged: bool
    cards: Cards


class Move(TypedDict):
    """A command that could be sent, without its `id`."""

    t: Literal[
        "draw", "cancel_draw", "meld", "take_back", "lay_off", "swap", "discard", "flip", "declare", "group",
        "drop", "rejoin"
    ]
    d: dict[str, Any]


class Score(TypedDict):
    seat: Seat
    points: int
    total: int
    bonus: int
    place: Place
    cards: Cards
    opened: bool
    won: bool
    rummy: bool
    left: bool
    dropped: bool
    wrong: bool
    out: bool
    sat_out: bool
    groups: NotRequired[Groups]
    rest: NotRequired[Cards]


class SettledSeat(TypedDict):
    seat: Seat
    place: Place
    points: int
    clover: int | None
    silver: int | None
    gold: int | None
    silver_lost: int | None
    level_gold: int | None
    level: int | None
    levels_gained: int | None
    title: str | None
    rating: int | None
    turns: int | None
    own_turns: int | None
    took_part: bool | None
    same_people: bool | None


class TableSeat(TypedDict):
    seat: Seat
    player_id: str | None
    nick: str
    avatar: str
    bot: bool
    level: NotRequired[Literal["easy", "medium", "strong", "master"]]
    program: NotRequired[Literal[True]]
    on: bool
    away: bool
    left: bool
    opened: bool
    cards_n: int
    round: int
    points: int


class TurnState(TypedDict):
    """The turn in progress. Every player may see all of it, except a card drawn from the stock."""

    drew: bool
    drawn: str | None
    may_cancel: bool
    must_open: bool
    stock_only: bool
    opening_turn: bool
    staged_sum: int
    opening_min: int
    freed_jokers: int
    freed: list[TurnStateFreedItem]
    flips: int


class TurnStateFreedItem(TypedDict):
    joker: Card
    meld: MeldId


class WaitingSeat(TypedDict):
    seat: Seat
    player_id: str | None
    nick: str
    avatar: str
    bot: bool
    level: NotRequired[Literal["easy", "medium", "strong", "master"]]
    program: NotRequired[Literal[True]]
    on: bool
    ready: NotRequired[Literal[True]]


Card: TypeAlias = str
CommandId: TypeAlias = str
Emote: TypeAlias = Literal[
    "hello", "thanks", "good_luck", "well_played", "nice", "wow", "oops", "sorry", "thinking", "hurry",
    "laugh", "cry", "bye"
]
EmoteValue: TypeAlias = Literal[
    "hello", "thanks", "good_luck", "well_played", "nice", "wow", "oops", "sorry", "thinking", "hurry",
    "laugh", "cry", "bye"
]
Empty: TypeAlias = dict[str, Any]
EmptyValue: TypeAlias = dict[str, Any]
End: TypeAlias = Literal["low", "high"]
EndValue: TypeAlias = Literal["low", "high"]
Ending: TypeAlias = Literal["out", "no_cards", "stalled", "last"]
Hex: TypeAlias = str
Id: TypeAlias = str
Low: TypeAlias = int
MeldId: TypeAlias = int
MeldKind: TypeAlias = Literal["set", "run"]
Multiplier: TypeAlias = str
Place: TypeAlias = int
Rank: TypeAlias = str
RoomName: TypeAlias = str | None
Seat: TypeAlias = int
Totals: TypeAlias = list[int]
Version: TypeAlias = int
Visibility: TypeAlias = Literal["room", "public", "private", "house"]
Cards: TypeAlias = list[Card]
Groups: TypeAlias = list[Cards]


# Frames that only the lobby sends.
Lobby: TypeAlias = (
    FrameLobby
    | FrameLobbyChanged
    | FrameNotification
    | FrameFriends
    | FrameTournamentsChanged
)


# Commands that a client can send.
Command: TypeAlias = (
    FrameDraw
    | FrameCancelDraw
    | FrameFlip
    | FrameMeld
    | FrameTakeBack
    | FrameLayOff
    | FrameSwap
    | FrameDiscard
    | FrameLeave
    | FrameReturn
    | FrameSeed
    | FrameLegal
    | FramePing
    | FrameDeclare
    | FrameGroup
    | FrameDrop
    | FrameRejoin
    | FrameReady
    | FrameChatCommand
    | FrameEmoteCommand
)


# Answers to the sender of a command only.
Answer: TypeAlias = (
    FrameAck
    | FrameNack
    | FramePong
    | FrameLegalMoves
)


# The state of the table.
State: TypeAlias = (
    FrameSnapshot
    | FrameWaiting
    | FrameChat
    | FrameEmote
    | FrameRematch
    | FramePlayedForYou
    | FrameWaitingFor
    | FrameWatchers
    | FramePresence
    | FrameClock
    | FramePaused
    | FrameResumed
    | FrameRestarting
    | FrameMoved
    | FrameCancelled
    | FrameSettled
    | FrameFairness
    | FrameNextHand
)


# Events of the game, without gaps in `v`.
Event: TypeAlias = (
    FrameDealt
    | FrameTurn
    | FrameDrew
    | FrameDrawCancelled
    | FrameMelded
    | FrameTakenBack
    | FrameOpened
    | FrameLaidOff
    | FrameSwapped
    | FrameSwapUndone
    | FrameDiscarded
    | FrameReshuffled
    | FrameFlipped
    | FrameTimedOut
    | FrameAway
    | FrameReturned
    | FrameLeft
    | FrameHandEnded
    | FrameScored
    | FrameSessionEnded
    | FrameWild
    | FrameDropped
    | FrameDeclared
    | FrameGrouped
    | FrameRejoined
    | FrameEliminated
)
