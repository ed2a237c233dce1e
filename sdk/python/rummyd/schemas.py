"""Bodies of REST. Made by scripts/bundle from openapi.yaml; do not change it here."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AcceptInvite(TypedDict):
    code: str


class Account(TypedDict):
    has_password: bool
    proof: Literal["password", "recent_session", "none"]


class AchievementChange(TypedDict):
    gold: NotRequired[int]
    goal: NotRequired[int]


class AchievementList(TypedDict):
    items: list[AchievementListItemsItem]


class AchievementListItemsItem(TypedDict):
    id: str
    counter: str
    gold: int
    goal: int
    progress: int
    earned_at: str | None


class AdminAchievement(TypedDict):
    id: str
    gold: int
    counter: str
    goal: int


class AdminAchievementList(TypedDict):
    items: list[AdminAchievement]


class AdminClub(TypedDict):
    id: Id
    name: str
    about: str
    joining: ClubJoiningValue
    members: int
    created_at: Time
    owner: ClubPerson
    asks: int
    open_reports: int


class AdminClubPage(TypedDict):
    items: list[AdminClub]
    next: Next


class AdminNode(TypedDict):
    name: str
    starts: int
    epoch: int
    state: Literal["starting", "ready", "unreached", "draining", "gone"]
    alive: bool
    alive_at: Time
    age_ms: int
    ws_url: str
    version: str
    table_max: int
    drain: bool
    sockets: int
    tables: int
    people: int


class AdminNodes(TypedDict):
    nodes: list[AdminNode]


class AdminOrder(TypedDict):
    id: Id
    state: Literal[
        "created", "pending", "paid", "failed", "expired", "refunding", "refunded", "disputed",
        "charged_back"
    ]
    pack: str
    gold: int
    amount: int
    currency: str
    provider: str
    pay_url: str | None
    created_at: Time
    expires_at: Time
    paid_at: str | None
    refunded: int
    gold_back: int
    gold_short: int
    why: Literal["refused", "never_opened", "unknown", "failed", "expired", "amount_differs"] | None
    player_id: Id
    payment_ref: str | None
    log: list[AdminOrderLogItem]
    refunds: list[AdminOrderRefundsItem]
    flags: list[AdminOrderFlagsItem]


class AdminOrderFlagsItem(TypedDict):
    id: Id
    at: Time
    reason: str
    gold: int
    settled_at: str | None


class AdminOrderItem(TypedDict):
    id: Id
    state: Literal[
        "created", "pending", "paid", "failed", "expired", "refunding", "refunded", "disputed",
        "charged_back"
    ]
    pack: str
    gold: int
    amount: int
    currency: str
    provider: str
    pay_url: str | None
    created_at: Time
    expires_at: Time
    paid_at: str | None
    refunded: int
    gold_back: int
    gold_short: int
    why: Literal["refused", "never_opened", "unknown", "failed", "expired", "amount_differs"] | None
    player_id: Id
    payment_ref: str | None


class AdminOrderLogItem(TypedDict):
    at: Time
    state: str
    why: str | None


class AdminOrderPage(TypedDict):
    items: list[AdminOrderItem]
    next: Next


class AdminOrderRefundsItem(TypedDict):
    id: Id
    at: Time
    key: str
    state: Literal["asked", "done", "refused", "failed"]
    reason: str
    why: str | None


class AdminPack(TypedDict):
    id: str
    name: str
    gold: int
    amount: int
    currency: str
    on_sale: bool


class AdminPackList(TypedDict):
    items: list[AdminPack]


class AdminPlayer(TypedDict):
    id: Id
    kind: Literal["guest", "registered", "bot"]
    nickname: str
    email: str | None
    level: int
    clover_points: int
    created_at: Time
    banned_at: str | None
    chat_muted_until: str | None
    deleted_at: str | None
    deletion: None | AdminPlayerDeletion1
    silver: int
    gold: int
    tables: list[Id]
    orders: int
    reports: int
    invited_by: str | None
    notes: list[AdminPlayerNotesItem]


class AdminPlayerDeletion1(TypedDict):
    asked_at: Time
    due_at: Time
    key: str | None
    waits_for: list[Literal["table", "order"]]


class AdminPlayerItem(TypedDict):
    id: Id
    kind: Literal["guest", "registered", "bot"]
    nickname: str
    level: int
    created_at: Time
    banned_at: str | None
    deleted_at: str | None


class AdminPlayerNotesItem(TypedDict):
    at: Time
    key: str
    about: Literal[
        "note", "ban", "unban", "mute", "unmute", "separate", "reunite", "delete", "keep", "factor_off",
        "rename", "end_sessions"
    ]
    text: str
    hours: NotRequired[int]
    other: NotRequired[Id]


class AdminPlayerPage(TypedDict):
    items: list[AdminPlayerItem]
    next: Next


class AdminPlayerSearch(TypedDict):
    email: str


class AdminPlayersFound(TypedDict):
    items: list[AdminPlayerItem]


class AdminRebalance(TypedDict):
    tables: int


class AdminRoom(TypedDict):
    id: str
    name: str
    variant: str
    seats_n: int
    stake: int
    reward: int
    multiplier_tenths: int
    title: str
    bots: bool
    fill_wait_ms: int
    open: bool
    bot_accounts: bool


class AdminRoomList(TypedDict):
    items: list[AdminRoom]
    titles: list[AdminTitle]


class AdminStatus(TypedDict):
    key: AdminStatusKey
    actions: list[str]
    waiting: AdminStatusWaiting
    play: AdminStatusPlay
    nodes: list[AdminNode]


class AdminStatusKey(TypedDict):
    name: str
    role: ApiKeyRoleValue
    holder: str
    scope: str | None
    expires_at: str | None


class AdminStatusPlay(TypedDict):
    waiting: int
    playing: int
    people: int
    games_day: int


class AdminStatusWaiting(TypedDict):
    """Pending work for operators; null if this key may not see it."""

    reports: int | None
    flags: int | None
    grants: int | None
    lost_tables: int | None
    jobs: int | None
    webhooks: int | None


class AdminTable(TypedDict):
    id: Id
    state: str
    variant: str
    room: str | None
    node: str
    stake: int
    created_at: Time
    started_at: str | None
    ended_at: str | None
    cancel_asked_at: str | None
    game: str | None
    lost: TableLoss
    seats: list[AdminTableSeatsItem]


class AdminTablePage(TypedDict):
    items: list[AdminTable]
    next: Next


class AdminTableSeatsItem(TypedDict):
    seat: int
    player_id: str | None
    nickname: str
    held_silver: int
    held_gold: int


class AdminTitle(TypedDict):
    name: str
    level_from: int


class AdminTournament(TypedDict):
    id: Id
    name: str
    kind: Literal["knockout", "stages", "swiss", "teams"]
    variant: str
    options: TableOptionsValue
    seats: int
    advance: int | None
    keep_percent: int | None
    rounds: int | None
    entry: int
    prize_table: str | None
    entries_min: int
    entries_max: int
    bots_to: int
    bot_level: Literal["easy", "medium", "strong", "master"]
    sit_and_go: bool
    starts_at: Time | None
    late_s: int
    break_s: int
    state: Literal["open", "running", "ended", "cancelled"]
    reason: Literal["too_few", "by_operator"] | None
    people: int
    bots: int
    round: int
    next_at: Time | None
    late_until: Time | None
    commit: str
    duplicate: bool
    deal_commit: str | None
    created_at: Time
    started_at: Time | None
    ended_at: Time | None
    wait_s: int
    pot: int
    pot_silver: int
    pot_gold: int
    prizes: list[AdminTournamentPrizesItem]
    tables_open: int
    tables_over: int
    log: list[AdminTournamentLogItem]


class AdminTournamentEntryPage(TypedDict):
    items: list[AdminTournamentEntryPageItemsItem]
    next: Next


class AdminTournamentEntryPageItemsItem(TypedDict):
    entry: int
    team: int | None
    player_id: Id | None
    nickname: str
    bot: bool
    silver: int
    gold: int
    back: bool
    entered_at: Time
    out_round: int | None
    place: int | None
    prize_silver: int
    prize_gold: int


class AdminTournamentLogItem(TypedDict):
    at: Time
    key: str
    action: Literal["make_tournament", "cancel_tournament"]
    reason: str | None


class AdminTournamentPage(TypedDict):
    items: list[Tournament]
    next: Next


class AdminTournamentPrizesItem(TypedDict):
    place: int
    share: int
    chips: int


class ApiKey(TypedDict):
    id: Id
    name: str
    role: ApiKeyRoleValue
    holder: str
    prefix: str
    scope: str | None
    made_by: str | None
    created_at: Time
    expires_at: str | None
    revoked_at: str | None
    old_until: str | None
    used_at: str | None


class ApiKeyMade(TypedDict):
    secret: str | None
    key: ApiKey


class ApiKeyPage(TypedDict):
    items: list[ApiKey]
    next: Next


class ApiKeyRequest(TypedDict):
    name: str
    role: ApiKeyRole
    holder: str
    days: NotRequired[int]
    scope: NotRequired[str]


class ApiKeyRotation(TypedDict):
    hours: NotRequired[int]


class AuditPage(TypedDict):
    items: list[AuditPageItemsItem]
    next: Next


class AuditPageItemsItem(TypedDict):
    id: Id
    at: Time
    key: str | None
    action: str
    detail: dict[str, Any]
    code: str


class Block(TypedDict):
    player_id: Id
    muted: bool
    blocked: bool


class BoardAround(TypedDict):
    place: int | None
    items: list[BoardLine]


class BoardLine(TypedDict):
    place: int
    player_id: Id
    nickname: str
    avatar: str
    title: str
    value: int
    games: int | None
    own: bool


class BoardPage(TypedDict):
    variant: str
    board: str
    period: str
    items: list[BoardLine]
    next: Next


class Bonus(TypedDict):
    due: bool
    streak: int
    played_today: bool
    today_amount: int | None
    today_lost: int | None
    tomorrow_amount: int
    tomorrow_at: Time


class Bot(TypedDict):
    id: Id
    nickname: str
    avatar: str
    banned: bool
    created_at: Time
    tokens: int


class BotChange(TypedDict):
    nickname: NotRequired[Nickname]
    avatar: NotRequired[Avatar]


class BotList(TypedDict):
    items: list[Bot]
    max: int


class BotRequest(TypedDict):
    nickname: Nickname
    avatar: NotRequired[Avatar]


class BotToken(TypedDict):
    id: Id
    name: str
    scopes: list[TokenScopeValue]
    prefix: str
    created_at: Time
    used_at: Time | None
    expires_at: Time


class BotTokenList(TypedDict):
    items: list[BotToken]
    max: int


class BotTokenMade(TypedDict):
    secret: str | None
    token: BotToken


class BotTokenRequest(TypedDict):
    name: str
    scopes: list[TokenScope]
    expires_in_days: int


class ChipGrant(TypedDict):
    id: Id
    at: Time
    player_id: Id
    currency: Literal["silver", "gold"]
    amount: int
    reason: GrantReasonValue
    note: str
    state: Literal["waiting", "done", "refused", "lapsed"]
    key: str
    holder: str
    lapses_at: str | None
    settled_at: str | None
    settled_by: str | None
    over_cap: int


class ChipGrantPage(TypedDict):
    items: list[ChipGrant]
    next: Next


class ChipGrantRequest(TypedDict):
    currency: Literal["silver", "gold"]
    amount: int
    reason: GrantReason
    note: str


class Club(TypedDict):
    id: Id
    name: str
    about: str
    joining: ClubJoiningValue
    members: int
    created_at: Time
    owner: ClubPerson
    own: Literal["owner", "member", "asks"] | None


class ClubChange(TypedDict):
    name: NotRequired[ClubName]
    about: NotRequired[ClubAbout]
    joining: NotRequired[ClubJoining]
    owner_id: NotRequired[str]


class ClubList(TypedDict):
    items: list[Club]


class ClubMemberPage(TypedDict):
    items: list[ClubMemberPageItemsItem]
    next: Next


class ClubMemberPageItemsItem(TypedDict):
    player_id: Id
    nickname: str
    avatar: str
    title: str
    role: Literal["owner", "member", "asks"]
    at: Time


class ClubMessage(TypedDict):
    id: Id
    player_id: Id
    nickname: str
    avatar: str
    text: str
    at: Time


class ClubMessagePage(TypedDict):
    items: list[ClubMessage]
    next: Next


class ClubMessageReportRequest(TypedDict):
    reason: Literal["insult", "other"]
    text: NotRequired[str]


class ClubMessageRequest(TypedDict):
    text: str


class ClubPage(TypedDict):
    items: list[Club]
    next: Next


class ClubPerson(TypedDict):
    player_id: Id
    nickname: str
    avatar: str


class ClubRenameRequest(TypedDict):
    name: ClubName
    reason: str


class ClubReportRequest(TypedDict):
    reason: Literal["about", "club_name", "other"]
    text: NotRequired[str]


class ClubRequest(TypedDict):
    name: ClubName
    about: NotRequired[ClubAbout]
    joining: NotRequired[ClubJoining]


class ClubRole(TypedDict):
    role: Literal["owner", "member", "asks"]


class ClubTable(TypedDict):
    table_id: Id
    state: Literal["waiting", "playing"]
    variant: str
    options: TableOptionsValue
    seats: int
    people: int
    bots: int
    stake: int
    point_value: int
    watch_delay_ms: int | None
    bot_accounts: bool
    turn_hours: int | None
    players: list[ClubPerson]
    ws_url: str | None
    created_at: Time


class ClubTablePage(TypedDict):
    items: list[ClubTable]
    next: Next


class Collusion(TypedDict):
    since: str
    new_accounts: list[CollusionNewAccountsItem]
    items: list[CollusionItemsItem]


class CollusionInvitations(TypedDict):
    """Which player invited the other."""

    inviter: str | None
    state: Literal["open", "paid", "over"] | None
    only_together: bool
    common_inviter: str | None
    chain: int


class CollusionItemsItem(TypedDict):
    games: int
    share_percent: int
    excess: float | None
    separated: bool
    meetings: CollusionMeetings
    invitations: CollusionInvitations
    shared_device: bool
    shared_address: bool
    players: list[CollusionItemsItemPlayersItem]
    throws: list[CollusionThrows]
    records: list[CollusionItemsItemRecordsItem]


class CollusionItemsItemPlayersItem(TypedDict):
    id: str
    games: int
    wins: int
    chips: int


class CollusionItemsItemRecordsItem(TypedDict):
    game: Id
    chances: int
    taken: int
    record: str


class CollusionMeetings(TypedDict):
    today: int
    per_day_max: int
    beyond: int


class CollusionNewAccountsItem(TypedDict):
    day: str
    accounts: int
    withheld: int
    players: list[Id]


class CollusionOthers(TypedDict):
    chances: int
    taken: int
    taken_percent: float | None
    excess: float | None


CollusionThrows = TypedDict("CollusionThrows", {
    "from": 'str',
    "to": 'str',
    "chances": 'int',
    "taken": 'int',
    "taken_percent": 'float',
    "excess": 'float | None',
    "bots": 'CollusionThrowsBots',
    "to_others": 'CollusionOthers',
    "from_others": 'CollusionOthers',
})


class CollusionThrowsBots(TypedDict):
    taken_percent: float | None
    excess: float | None


class DailyBoard(TypedDict):
    day: str
    variant: str
    state: DailyState
    entrants: int
    own: DailyOwn | None
    items: list[DailyBoardItemsItem]
    next: Next


class DailyBoardItemsItem(TypedDict):
    rank: int
    player_id: Id
    nickname: str
    avatar: str
    points: int
    percent: float | None
    left: bool
    game_id: Id | None
    own: bool


class DailyDeals(TypedDict):
    today: str
    streak_days: int
    ranking: DailyDealsRanking
    items: list[DailyDealsItemsItem]


class DailyDealsItemsItem(TypedDict):
    day: str
    state: DailyState
    opens_at: Time
    closes_at: Time
    commit: Hex32
    committed_at: Time
    client_seed: Hex32 | None
    server_seed: Hex32 | None
    deals: list[DailyDealsItemsItemDealsItem]


class DailyDealsItemsItemDealsItem(TypedDict):
    variant: str
    number: Id | None
    seats: int
    options: dict[str, int]
    bot_level: Literal["easy", "medium", "strong"]
    entrants: int
    own: DailyOwn | None


class DailyDealsRanking(TypedDict):
    ranked: bool
    proved: bool
    games: int
    games_min: int


class DailyOwn(TypedDict):
    state: Literal["playing", "done", "void"]
    table_id: Id
    game_id: Id | None
    points: int | None
    place: int | None
    left: bool
    ranked: bool
    rank: int | None
    percent: float | None


class DailyPlay(TypedDict):
    seed: NotRequired[str]


class DailyPuzzle(TypedDict):
    day: str
    puzzle: Puzzle
    streak: PuzzleStreak


class DailySeeds(TypedDict):
    day: str
    client_seed: Hex32
    items: list[DailySeedsItemsItem]
    next: Next


class DailySeedsItemsItem(TypedDict):
    seed: str


class Deletion(TypedDict):
    """`pending` has `asked_at`, `due_at`, `by_operator`, and `waits_for`; `none` has `days`."""

    state: Literal["none", "pending"]
    days: NotRequired[int]
    asked_at: NotRequired[Time]
    due_at: NotRequired[Time]
    by_operator: NotRequired[bool]
    waits_for: NotRequired[list[Literal["table", "order"]]]


class DeletionRequest(TypedDict):
    """The account's password. Guests have none, and players who sign in with a provider may have none."""

    password: NotRequired[Password]
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]
    confirm: Literal["delete"]


class Delivery(TypedDict):
    id: Id
    webhook_id: str
    event: str
    created_at: Time
    state: Literal["waiting", "sent", "failed"]
    tries: int
    status: int | None
    said: str | None
    next_try: str | None
    ended_at: str | None
    body: WebhookMessage


class DeliveryPage(TypedDict):
    items: list[Delivery]
    next: Next


class Device(TypedDict):
    id: Id
    kind: Literal["webpush", "fcm", "apns"]
    service: str | None
    current: bool
    created_at: Time
    used_at: str | None


class DeviceList(TypedDict):
    items: list[Device]


class DeviceRequest(TypedDict):
    """`endpoint`, `p256dh`, and `auth` for a browser; `token` for an app."""

    kind: Literal["webpush", "fcm", "apns"]
    endpoint: NotRequired[str]
    p256dh: NotRequired[str]
    auth: NotRequired[str]
    token: NotRequired[str]


class EmailChange(TypedDict):
    password: Password
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]
    email: str


class Export(TypedDict):
    """Unless `state` is `none`, all other members are present."""

    state: Literal["none", "making", "ready"]
    id: NotRequired[Id]
    asked_at: NotRequired[Time]
    ready_at: NotRequired[str | None]
    expires_at: NotRequired[str | None]
    parts: NotRequired[int]
    lines: NotRequired[int]
    bytes: NotRequired[int]


class ExportRequest(TypedDict):
    """The account's password. Guests have none, and players who sign in with a provider may have none."""

    password: NotRequired[Password]
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]


class Factor(TypedDict):
    on: bool
    since: Time | None
    recovery_codes_left: int


class FactorConfirmRequest(TypedDict):
    factor_code: FactorCode


class FactorLoginRequest(TypedDict):
    challenge: str
    factor_code: FactorCode
    device_token: NotRequired[DeviceToken]


class FactorProof(TypedDict):
    password: Password
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]


class FactorSetup(TypedDict):
    secret: str
    uri: str


class FactorSetupRequest(TypedDict):
    password: Password
    device_token: NotRequired[DeviceToken]


class Fairness(TypedDict):
    table_id: Id
    hand_no: int
    commit: Hex32
    server_seed: Hex32
    client_seeds: list[str]


class Fault(TypedDict):
    """One fault. It has exactly one of `pointer`, `parameter`, and `header`."""

    pointer: NotRequired[str]
    parameter: NotRequired[str]
    header: NotRequired[str]
    code: Literal[
        "missing", "unknown", "duplicate", "wrong_type", "too_small", "too_large", "out_of_range",
        "not_an_integer", "too_short", "too_long", "too_many", "nul_character", "unknown_choice",
        "not_an_email", "name_character", "name_separator", "name_no_letter", "name_marks", "name_joiner",
        "name_scripts", "name_digits", "name_bytes", "name_reserved", "name_taken", "name_too_soon",
        "bad_characters", "password_too_common", "password_is_context", "bad_token", "not_base64url",
        "bad_transports", "bad_name", "bad_word", "bad_time", "bad_seed", "bad_id", "bad_code",
        "bad_redirect", "bad_words", "not_a_url", "not_a_push_service", "not_a_point", "not_a_device_token",
        "not_an_auth_secret", "not_https", "not_public", "bad_currency", "bad_text", "address_in_query",
        "unknown_value", "bad_cursor", "not_bearer", "not_once", "not_alone", "not_a_host",
        "not_in_http_1_0", "not_taken", "not_continue", "not_a_client", "bad_value", "not_chunked",
        "not_a_length", "not_json", "no_such_variant", "no_such_option", "option_range", "option_choice",
        "hand_clock_short", "hand_clock_needed", "hand_clock_slow"
    ]
    detail: str
    min: NotRequired[int]
    max: NotRequired[int]
    allowed: NotRequired[list[str]]


class Flag(TypedDict):
    id: Id
    at: Time
    order_id: Id
    player_id: Id
    state: str
    reason: Literal[
        "gold_short", "amount_differs", "refund_failed", "payment_of_another", "paid_again", "provider_off"
    ]
    gold: int
    event: str
    amount: int | None
    currency: str | None


class FlagPage(TypedDict):
    items: list[Flag]
    next: Next


class ForgotRequest(TypedDict):
    email: str


class FriendList(TypedDict):
    next: Next
    items: list[FriendListItemsItem]


class FriendListItemsItem(TypedDict):
    player_id: Id
    nickname: str
    avatar: str
    title: str
    state: Literal["friends", "asked", "asks"]


class FriendState(TypedDict):
    state: Literal["asked", "friends"]


class Game(TypedDict):
    id: Id
    table_id: Id
    variant: str
    room: str | None
    started_at: Time
    ended_at: Time
    ending: Ending
    rated: bool
    practice: bool
    results: list[GameResult]
    fairness: Fairness
    hands: list[GameHand]


class GameHand(TypedDict):
    hand_no: int
    commit: Hex32
    server_seed: Hex32
    client_seeds: list[str]
    ending: Ending
    scores: list[GameHandScoresItem]


class GameHandScoresItem(TypedDict):
    seat: int
    points: int
    total: int | None
    place: int


class GameItem(TypedDict):
    id: Id
    table_id: Id
    variant: str
    room: str | None
    started_at: Time
    ended_at: Time
    rated: bool
    practice: bool
    took_part: TookPart
    same_people: SamePeople
    place: int
    points: int
    game_points: int
    rummy: bool
    clover: int
    silver: int
    gold: int
    hidden: bool
    opponents: list[GameItemOpponentsItem]


class GameItemOpponentsItem(TypedDict):
    player_id: str | None
    nickname: str
    avatar: str
    bot: PlayedByBot
    program: PlayedByProgram
    place: int


class GamePage(TypedDict):
    items: list[GameItem]
    next: Next


class GameResult(TypedDict):
    seat: int
    player_id: str | None
    nickname: str
    avatar: str
    bot: PlayedByBot
    program: PlayedByProgram
    place: int
    points: int
    game_points: int
    opened: bool
    cards_left: int
    rummy: bool
    left: bool
    turns: int | None
    own_turns: int | None
    took_part: TookPart
    same_people: SamePeople
    clover: int
    silver: int | None
    gold: int | None
    silver_lost: int | None


class GuestRequest(TypedDict):
    device_secret: NotRequired[str]
    nickname: NotRequired[Nickname]


class Health(TypedDict):
    status: Literal["ok"]


class IdentityList(TypedDict):
    items: list[IdentityListItemsItem]


class IdentityListItemsItem(TypedDict):
    id: Id
    provider: str | None
    name: str
    email: str | None
    created_at: Time
    used_at: Time


class InviteAccepted(TypedDict):
    gold: int


class InviteLink(TypedDict):
    host: Inviter
    invited_gold: int


class InviteList(TypedDict):
    code: str | None
    acceptance: Literal["open", "guest", "used", "late"]
    gold: int
    invited_gold: int
    games: int
    people: int
    paid: int
    paid_max: int
    items: list[InviteListItemsItem]


class InviteListItemsItem(TypedDict):
    nickname: str
    level: int
    games: int
    at: Time
    state: Literal["open", "paid", "over"]


class Inviter(TypedDict):
    """A player as shown on the page behind a link."""

    nickname: str
    avatar: str


class JobList(TypedDict):
    items: list[JobListItemsItem]


class JobListItemsItem(TypedDict):
    job: str
    every_s: int
    overdue: bool
    done_at: str | None


class JobRun(TypedDict):
    run: Id
    job: str
    done: bool
    steps: int
    started_at: Time
    result: dict[str, int]


class LeagueList(TypedDict):
    season: LeagueListSeason
    own: LeagueListOwn | None
    items: list[LeagueListItemsItem]


class LeagueListItemsItem(TypedDict):
    id: str
    name: str
    open: bool
    room: str
    promote_rating: int | None
    promote_places: int | None
    relegate_rating: int | None
    relegate_places: int | None
    prizes: list[int]


class LeagueListOwn(TypedDict):
    """null before the first counted game."""

    league: str
    games: int
    wins: int
    rating: int | None
    place: int | None


class LeagueListSeason(TypedDict):
    number: int
    starts_at: Time
    ends_at: Time
    closing: bool
    games_min: int
    prize_people_min: int


class LeagueTable(TypedDict):
    league: str
    season: int
    items: list[LeagueTableItemsItem]
    next: Next


class LeagueTableItemsItem(TypedDict):
    place: int
    player_id: Id
    nickname: str
    avatar: str
    title: str
    games: int
    wins: int
    rating: int
    ranked: bool
    own: bool


class LedgerProof(TypedDict):
    clean: bool
    problems: int
    said: list[str]


class LobbyTicket(TypedDict):
    ws_url: str
    ticket: str
    expires_at: Time


class LoginRequest(TypedDict):
    email: str
    password: Password
    device_token: NotRequired[DeviceToken]


class LostMovePage(TypedDict):
    items: list[LostMovePageItemsItem]
    next: Next


class LostMovePageItemsItem(TypedDict):
    hand_no: int
    v: int
    seat: int
    move: str
    hash: str
    command: str
    at: Time
    time_bank_ms: int
    hand_clock_ms: int


class MailLinkRequest(TypedDict):
    token: str


class Me(TypedDict):
    id: Id
    nickname: str
    avatar: str
    kind: Literal["guest", "registered", "bot"]
    level: int
    title: str
    clover_points: int
    level_points: int
    level_points_needed: int | None
    rating: Rating
    email_verified: bool
    rewards_withheld: bool
    language: LanguageValue
    nickname_changes_at: Time | None
    created_at: Time
    deletion_due_at: str | None


class MeChange(TypedDict):
    """Omitted members stay unchanged."""

    nickname: NotRequired[Nickname]
    avatar: NotRequired[Avatar]
    language: NotRequired[Language]


class MuteRequest(TypedDict):
    hours: int
    reason: str


class MyPuzzles(TypedDict):
    rating: int
    rd: int
    tried: int
    solved: int
    streak: PuzzleStreak
    themes: list[MyPuzzlesThemesItem]
    variants: list[MyPuzzlesVariantsItem]
    recent: list[MyPuzzlesRecentItem]


class MyPuzzlesRecentItem(TypedDict):
    puzzle: Id
    variant: str
    theme: PuzzleTheme
    at: Time
    choice: str
    answer: str
    right: bool
    rating: int


class MyPuzzlesThemesItem(TypedDict):
    theme: PuzzleTheme
    tried: int
    solved: int


class MyPuzzlesVariantsItem(TypedDict):
    variant: str
    tried: int
    solved: int


class MySeasons(TypedDict):
    items: list[MySeasonsItemsItem]
    next: Next


class MySeasonsItemsItem(TypedDict):
    season: int
    ended_at: Time
    league: str
    place: int | None
    games: int
    rating: int | None
    to_league: str | None
    reason: Literal[
        "inactive", "too_few_games", "relegated", "promoted", "room_locked", "league_closed", "stays"
    ]
    rule: SeasonRule
    prize_gold: int


class MyTables(TypedDict):
    items: list[MyTablesItemsItem]


class MyTablesItemsItem(TypedDict):
    table_id: Id
    variant: str
    room: str | None
    code: str | None
    seat: int
    state: Literal["waiting", "playing", "lost"]
    turn_hours: int | None
    ws_url: NotRequired[str]
    turn: MyTablesItemsItemTurn | None
    tournament: MyTablesItemsItemTournament | None


class MyTablesItemsItemTournament(TypedDict):
    id: Id
    name: str


class MyTablesItemsItemTurn(TypedDict):
    seats: list[int]
    ends_at: str | None


class NoteRequest(TypedDict):
    note: str


class NotificationPage(TypedDict):
    items: list[NotificationPageItemsItem]
    next: Next


class NotificationPageItemsItem(TypedDict):
    id: Id
    at: Time
    kind: Literal[
        "level", "season", "league_prize", "month_prize", "achievement", "invite", "invited", "friend",
        "table_invite", "your_turn", "refund", "export", "tournament_table", "tournament_result",
        "tournament_cancelled", "quest", "club", "week"
    ]
    data: dict[str, Any]
    read: bool


class NotificationSettings(TypedDict):
    push_friend: bool
    push_season: bool
    push_table_invite: bool
    push_tournament_table: bool
    push_your_turn: bool
    week: bool
    mail_your_turn: bool


class NotificationSettingsChange(TypedDict):
    push_friend: NotRequired[bool]
    push_season: NotRequired[bool]
    push_table_invite: NotRequired[bool]
    push_tournament_table: NotRequired[bool]
    push_your_turn: NotRequired[bool]
    mail_your_turn: NotRequired[bool]
    week: NotRequired[bool]


class Order(TypedDict):
    id: Id
    state: Literal[
        "created", "pending", "paid", "failed", "expired", "refunding", "refunded", "disputed",
        "charged_back"
    ]
    pack: str
    gold: int
    amount: int
    currency: str
    provider: str
    pay_url: str | None
    created_at: Time
    expires_at: Time
    paid_at: str | None
    refunded: int
    gold_back: int
    gold_short: int
    why: Literal["refused", "never_opened", "unknown", "failed", "expired", "amount_differs"] | None


class OrderPage(TypedDict):
    items: list[Order]
    next: Next


class OrderRequest(TypedDict):
    pack: str
    provider: str


class Pack(TypedDict):
    id: str
    name: str
    gold: int
    amount: int
    currency: str


class PackChange(TypedDict):
    name: NotRequired[str]
    gold: NotRequired[int]
    amount: NotRequired[int]
    currency: NotRequired[str]
    on_sale: NotRequired[bool]


class PackList(TypedDict):
    items: list[Pack]
    providers: list[str]


class Passkey(TypedDict):
    id: Id
    name: PasskeyName
    synced: bool
    transports: list[str]
    created_at: Time
    used_at: Time | None


class PasskeyChange(TypedDict):
    name: PasskeyName


class PasskeyKnown(TypedDict):
    type: Literal["public-key"]
    id: str
    transports: list[str]


class PasskeyList(TypedDict):
    items: list[Passkey]


class PasskeyLogin(TypedDict):
    credential_id: str
    client_data: str
    authenticator_data: str
    signature: str
    user_handle: str
    device_token: NotRequired[DeviceToken]


class PasskeyLoginOptions(TypedDict):
    public_key: PasskeyLoginOptionsPublicKey


class PasskeyLoginOptionsPublicKey(TypedDict):
    """`PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3."""

    challenge: str
    rpId: str
    timeout: int
    userVerification: Literal["required"]


class PasskeyNew(TypedDict):
    client_data: str
    attestation_object: str
    transports: NotRequired[str]
    name: PasskeyName


class PasskeyOptions(TypedDict):
    public_key: PasskeyOptionsPublicKey


class PasskeyOptionsPublicKey(TypedDict):
    """`PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3."""

    challenge: str
    rp: PasskeyOptionsPublicKeyRp
    user: PasskeyOptionsPublicKeyUser
    pubKeyCredParams: list[PasskeyOptionsPublicKeyPubKeyCredParamsItem]
    timeout: int
    excludeCredentials: list[PasskeyKnown]
    authenticatorSelection: PasskeyOptionsPublicKeyAuthenticatorSelection
    attestation: Literal["none"]


class PasskeyOptionsPublicKeyAuthenticatorSelection(TypedDict):
    residentKey: Literal["required"]
    requireResidentKey: bool
    userVerification: Literal["required"]


class PasskeyOptionsPublicKeyPubKeyCredParamsItem(TypedDict):
    type: Literal["public-key"]
    alg: int


class PasskeyOptionsPublicKeyRp(TypedDict):
    id: str
    name: str


class PasskeyOptionsPublicKeyUser(TypedDict):
    id: str
    name: str
    displayName: str


class PasskeyProof(TypedDict):
    password: NotRequired[Password]
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]


class PasswordChange(TypedDict):
    old_password: Password
    device_token: NotRequired[DeviceToken]
    factor_code: NotRequired[FactorCode]
    password: Password


class PlayLimits(TypedDict):
    minutes_per_day: int | None
    purchases_per_day: int | None
    excluded_until: str | None
    minutes_today: int
    purchases_today: int
    pending: list[PlayLimitsPendingItem]


class PlayLimitsChange(TypedDict):
    minutes_per_day: NotRequired[int | None]
    purchases_per_day: NotRequired[int | None]
    exclude_days: NotRequired[int]


class PlayLimitsPendingItem(TypedDict):
    limit: Literal["minutes_per_day", "purchases_per_day", "excluded_until"]
    value: int | None
    until: str | None
    at: Time


class Player(TypedDict):
    id: Id
    nickname: str
    avatar: str
    kind: Literal["guest", "registered", "bot"]
    deleted: bool
    level: int
    title: str
    clover_points: int
    created_at: Time
    league: str | None
    achievements: list[str]
    streak_days: int
    daily_streak_days: int
    variants: list[PlayerVariantsItem]
    last_games: list[PlayerLastGamesItem]


class PlayerLastGamesItem(TypedDict):
    id: Id
    variant: str
    room: str | None
    ended_at: Time
    place: int
    won: bool
    rated: bool
    hidden: bool
    record: str


class PlayerNoteRequest(TypedDict):
    note: str


class PlayerVariant(TypedDict):
    variant: str
    games: int
    averages: PlayerVariantAverages
    same_deal: PlayerVariantSameDeal
    ratings: list[PlayerVariantRatingsItem]
    rivals: list[PlayerVariantRivalsItem]


class PlayerVariantAverages(TypedDict):
    """null if there is nothing to average."""

    place: float | None
    opened: float | None
    opening: float | None
    opening_turn: float | None
    sets: float | None
    runs: float | None
    cards_left: float | None


class PlayerVariantRatingsItem(TypedDict):
    game_id: Id
    at: Time
    rating: int


class PlayerVariantRivalsItem(TypedDict):
    player_id: Id
    nickname: str
    avatar: str
    games: int
    ahead: int
    behind: int


class PlayerVariantSameDeal(TypedDict):
    deals: int
    percent: float | None
    better: float | None


class PlayerVariantsItem(TypedDict):
    variant: str
    games: int
    rated: int
    wins: int
    opened: int
    rummies: int
    places: list[int]
    points_average: float | None
    win_streak: int
    win_streak_best: int
    rating: int | None


class PlayersFound(TypedDict):
    items: list[PlayersFoundItemsItem]


class PlayersFoundItemsItem(TypedDict):
    player_id: Id
    nickname: str
    avatar: str
    title: str


class Posting(TypedDict):
    id: Id
    at: Time
    currency: Literal["silver", "gold"]
    amount: int
    balance_after: int
    cause: Literal[
        "achievement", "correction", "daily", "entry", "entry_back", "grant", "invite", "league", "level",
        "month", "over_cap", "pot", "prize", "quest", "refund", "reward", "shop", "shop_back", "shop_return",
        "stake", "stake_back", "welcome"
    ]
    table_id: str | None


class PostingPage(TypedDict):
    items: list[Posting]
    next: Next


class PrizeTable(TypedDict):
    id: str
    steps: list[PrizeTableStepsItem]


class PrizeTableList(TypedDict):
    items: list[PrizeTable]


class PrizeTableRequest(TypedDict):
    id: str
    shares: dict[str, str]


class PrizeTableStepsItem(TypedDict):
    entries_min: int
    shares: list[int]


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    trace_id: str
    challenge: NotRequired[str]
    retry_s: NotRequired[int]
    bytes_max: NotRequired[int]
    line: NotRequired[int]
    column: NotRequired[int]
    scope: NotRequired[str]
    limit: NotRequired[str]
    errors: NotRequired[list[Fault]]


class ProviderList(TypedDict):
    items: list[ProviderListItemsItem]


class ProviderListItemsItem(TypedDict):
    id: str
    name: str


class Push(TypedDict):
    kinds: list[Literal["webpush", "fcm", "apns"]]
    webpush_key: str | None


class PushMessage(TypedDict):
    kind: Literal["friend", "season", "table_invite", "tournament_table", "your_turn"]
    title: str
    body: str
    data: dict[str, Any]


class Puzzle(TypedDict):
    id: Id
    variant: str
    players: int
    seat: int
    theme: PuzzleTheme
    tags: list[str]
    position: str
    options: list[str]
    rating: int
    tries: int
    solved: int
    mine: PuzzleTry | None


class PuzzleChoice(TypedDict):
    choice: str
    worth: float
    error: float


class PuzzleStreak(TypedDict):
    """Consecutive days (UTC) on which the player tried the day's puzzle."""

    days: int
    best: int


class PuzzleTry(TypedDict):
    choice: str
    right: bool
    answer: str
    choices: list[PuzzleChoice]
    rating: int
    rating_before: int
    puzzle_rating: int
    streak: PuzzleStreak | None
    source: PuzzleTrySource | None


class PuzzleTryRequest(TypedDict):
    choice: str


class PuzzleTrySource(TypedDict):
    game: Id
    hand: int
    turn: int
    move: int


class QuestList(TypedDict):
    week: str
    starts_at: Time
    ends_at: Time
    items: list[QuestListItemsItem]


class QuestListItemsItem(TypedDict):
    id: str
    counter: str
    variant: str | None
    goal: int
    gold: int
    progress: int
    done_at: str | None


class Rating(TypedDict):
    value: int | None
    games: int


class ReadNotifications(TypedDict):
    up_to: str


class Ready(TypedDict):
    status: Literal["ready", "not_ready"]
    database: bool
    lease: bool
    clock: bool
    draining: bool
    jobs_overdue: list[str]
    lost_tables: int


class ReasonRequest(TypedDict):
    reason: str


class ReceiptRequest(TypedDict):
    store: Literal["apple", "google"]
    product: str
    receipt: str


class Received(TypedDict):
    received: bool


class RecoveryCodes(TypedDict):
    recovery_codes: list[str]


class RefreshRequest(TypedDict):
    refresh_token: str


class RefundRequest(TypedDict):
    reason: str


class RegisterRequest(TypedDict):
    email: str
    password: Password
    nickname: Nickname
    invite_code: NotRequired[str]
    device_token: NotRequired[DeviceToken]


class RenameRequest(TypedDict):
    nickname: Nickname
    reason: str


class Report(TypedDict):
    id: Id
    at: Time
    table_id: str | None
    club_id: str | None
    message_id: str | None
    said: str
    reason: Literal["insult", "cheating", "stalling", "nickname", "other", "club_name", "about"]
    text: str
    state: Literal["open", "closed"]
    note: str | None
    closed_at: str | None
    reporter: ReportPerson
    reported: ReportPerson
    open_of_player: int
    chat: list[ReportChatItem]


class ReportChatItem(TypedDict):
    at: Time
    kind: Literal["chat", "emote"]
    text: str


class ReportPage(TypedDict):
    items: list[Report]
    next: Next


class ReportPerson(TypedDict):
    player_id: Id
    nickname: str


class ResetRequest(TypedDict):
    token: str
    password: Password
    clean_up: NotRequired[bool]


class ResetWays(TypedDict):
    passkeys: int
    providers: int
    bot_tokens: int
    second_factor: int
    can_keep: bool


class RolloverPreview(TypedDict):
    season: int
    ends_at: Time
    items: list[RolloverPreviewItemsItem]
    next: Next


class RolloverPreviewItemsItem(TypedDict):
    player_id: Id
    league: str
    place: int | None
    games: int
    rating: int | None
    to_league: str | None
    reason: Literal[
        "inactive", "too_few_games", "relegated", "promoted", "room_locked", "league_closed", "stays"
    ]
    rule: SeasonRule


class Room(TypedDict):
    id: str
    name: str
    variant: str
    seats: int
    stake: int
    reward: int
    multiplier: str
    title_required: str
    level_required: int
    unlocked: bool
    why_locked: Literal["room_locked", "room_closed"] | None
    people: int
    tables: int
    bots: bool
    fill_wait_ms: int
    bot_accounts: bool


class RoomChange(TypedDict):
    name: NotRequired[str]
    stake: NotRequired[int]
    reward: NotRequired[int]
    multiplier_tenths: NotRequired[int]
    title: NotRequired[str]
    open: NotRequired[bool]
    bots: NotRequired[bool]
    fill_wait_ms: NotRequired[int]
    bot_accounts: NotRequired[bool]


class RoomList(TypedDict):
    items: list[Room]


class RoomRequest(TypedDict):
    id: str
    name: str
    variant: str
    seats: int
    options: NotRequired[TableOptions]
    stake: int
    reward: int
    multiplier_tenths: NotRequired[int]
    title: str
    open: NotRequired[bool]
    bots: NotRequired[bool]
    bot_level: NotRequired[Literal["easy", "medium", "strong", "master"]]
    fill_wait_ms: NotRequired[int]
    watch_delay_ms: NotRequired[int | None]
    bot_accounts: NotRequired[bool]


class SeasonRule(TypedDict):
    games_min: NotRequired[int]
    relegate_rating: NotRequired[int]
    relegate_places: NotRequired[int]
    promote_rating: NotRequired[int]
    promote_places: NotRequired[int]
    next_league: NotRequired[str]


class Seat(TypedDict):
    table_id: Id
    seat: int
    ws_url: str
    ticket: str
    expires_at: Time
    commit: Hex32
    code: NotRequired[str | None]


class SeparationRequest(TypedDict):
    other: str
    separated: bool
    reason: str


class Session(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    refresh_token: str
    device_token: NotRequired[str]
    device_secret: NotRequired[str]
    player: Me


class SessionItem(TypedDict):
    id: Id
    app: str | None
    system: str | None
    network: str | None
    created_at: Time
    used_at: Time
    current: bool


class SessionList(TypedDict):
    items: list[SessionItem]


class SettledFlag(TypedDict):
    id: Id
    order_id: Id
    settled_at: Time


class SignInBegun(TypedDict):
    authorize_url: str
    state: str
    secret: str


class SignInFinish(TypedDict):
    code: str
    state: str
    secret: str
    iss: NotRequired[str]
    device_token: NotRequired[DeviceToken]


class SignInRequest(TypedDict):
    redirect_uri: NotRequired[str]


class Snapshot(TypedDict):
    t: Literal["snapshot"]
    v: int
    d: SnapshotD


class SnapshotD(TypedDict):
    """The `d` of `snapshot` in `/asyncapi.yaml`."""

    table: SnapshotDTable
    me: int | None
    phase: Literal["waiting", "draw", "play", "hand_over", "over", "group"]
    seats: list[dict[str, Any]]
    hand: NotRequired[list[str]]
    melds: NotRequired[list[dict[str, Any]]]
    discard: NotRequired[list[str]]


class SnapshotDTable(TypedDict):
    id: Id
    variant: str
    room: str | None
    visibility: Literal["room", "public", "private", "house"]
    hand_no: int
    commit: Hex32
    stake: int
    reward: int
    multiplier: str
    club: NotRequired[SnapshotDTableClub]


class SnapshotDTableClub(TypedDict):
    """The club whose members alone may sit down and watch."""

    id: Id
    name: str | None


class StoreAccount(TypedDict):
    account: str
    products: list[StoreAccountProductsItem]


class StoreAccountProductsItem(TypedDict):
    store: Literal["apple", "google"]
    product: str
    pack: str


class TableByCode(TypedDict):
    state: Literal["waiting", "playing", "over"]
    variant: str
    options: TableOptionsValue
    seats: int
    people: int
    bots: int
    free: int
    stake: int
    turn_hours: int | None
    seated: bool
    host: Inviter
    players: list[Inviter]


class TableItem(TypedDict):
    table_id: Id
    variant: str
    options: TableOptionsValue
    seats: int
    people: int
    bots: int
    stake: int
    point_value: int
    watch_delay_ms: int | None
    bot_accounts: bool
    turn_hours: int | None
    creator: str
    ws_url: str | None
    created_at: Time


class TableLink(TypedDict):
    state: Literal["waiting", "playing", "over"]
    variant: str
    options: TableOptionsValue
    seats: int
    people: int
    bots: int
    free: int
    stake: int
    turn_hours: int | None
    host: Inviter
    players: list[Inviter]


class TableLossDataData(TypedDict):
    """Why no node can continue the table; null if a node can."""

    at: Time
    code: Literal["write_refused", "replay_differs", "rows_unreadable"]
    data: TableLossData
    moves: int


class TableOptions(TypedDict):
    ace: NotRequired[Literal["low", "high"]]
    wild_scope: NotRequired[Literal["rank", "exact"]]
    target: NotRequired[int]
    rounds: NotRequired[int]
    opening_min: NotRequired[int]
    turn_s: NotRequired[int]
    hand_s: NotRequired[int]
    wild_natural_pure: NotRequired[int]
    taken_discard_in_opening: NotRequired[int]


class TableOptionsValue(TypedDict):
    ace: NotRequired[Literal["low", "high"]]
    wild_scope: NotRequired[Literal["rank", "exact"]]
    target: NotRequired[int]
    rounds: NotRequired[int]
    opening_min: NotRequired[int]
    turn_s: NotRequired[int]
    hand_s: NotRequired[int]
    wild_natural_pure: NotRequired[int]
    taken_discard_in_opening: NotRequired[int]


class TablePage(TypedDict):
    items: list[TableItem]
    next: Next


class TableRequest(TypedDict):
    variant: str
    seats: int
    options: NotRequired[TableOptions]
    visibility: NotRequired[Literal["private", "public"]]
    bots: NotRequired[int]
    bot_level: NotRequired[Literal["easy", "medium", "strong", "master"]]
    stake: NotRequired[int]
    point_value: NotRequired[int]
    watch_delay_ms: NotRequired[int | None]
    bot_accounts: NotRequired[bool]
    turn_hours: NotRequired[int | None]
    club: NotRequired[str]


class TokenEntry(TypedDict):
    token: str


class TokenSession(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    scopes: list[TokenScopeValue]
    player: TokenSessionPlayer


class TokenSessionPlayer(TypedDict):
    id: Id
    nickname: str
    avatar: str


class Tournament(TypedDict):
    id: Id
    name: str
    kind: Literal["knockout", "stages", "swiss", "teams"]
    variant: str
    options: TableOptionsValue
    seats: int
    advance: int | None
    keep_percent: int | None
    rounds: int | None
    entry: int
    prize_table: str | None
    entries_min: int
    entries_max: int
    bots_to: int
    bot_level: Literal["easy", "medium", "strong", "master"]
    sit_and_go: bool
    starts_at: Time | None
    late_s: int
    break_s: int
    state: Literal["open", "running", "ended", "cancelled"]
    reason: Literal["too_few", "by_operator"] | None
    people: int
    bots: int
    round: int
    next_at: Time | None
    late_until: Time | None
    commit: str
    duplicate: bool
    deal_commit: str | None
    created_at: Time
    started_at: Time | None
    ended_at: Time | None


class TournamentDetail(TypedDict):
    id: Id
    name: str
    kind: Literal["knockout", "stages", "swiss", "teams"]
    variant: str
    options: TableOptionsValue
    seats: int
    advance: int | None
    keep_percent: int | None
    rounds: int | None
    entry: int
    prize_table: str | None
    entries_min: int
    entries_max: int
    bots_to: int
    bot_level: Literal["easy", "medium", "strong", "master"]
    sit_and_go: bool
    starts_at: Time | None
    late_s: int
    break_s: int
    state: Literal["open", "running", "ended", "cancelled"]
    reason: Literal["too_few", "by_operator"] | None
    people: int
    bots: int
    round: int
    next_at: Time | None
    late_until: Time | None
    commit: str
    duplicate: bool
    deal_commit: str | None
    created_at: Time
    started_at: Time | None
    ended_at: Time | None
    own: TournamentEntry | None
    teams: list[TournamentDetailTeamsItem] | None
    pot: int
    prizes: list[TournamentDetailPrizesItem]
    draws: list[TournamentDetailDrawsItem]
    deals: list[TournamentDetailDealsItem]


class TournamentDetailDealsItem(TypedDict):
    round: int
    seed: str


class TournamentDetailDrawsItem(TypedDict):
    draw: int
    round: int
    seed: str
    clients: str
    entries_to: int
    repeats: int | None
    least: bool | None
    drawn_at: Time


class TournamentDetailPrizesItem(TypedDict):
    place: int
    share: int
    chips: int


class TournamentDetailTeamsItem(TypedDict):
    team: int
    points: int | None
    tables: list[int | None]
    place: int


TournamentEntry = TypedDict("TournamentEntry", {
    "tournament_id": 'Id',
    "entry": 'int',
    "team": 'int | None',
    "silver": 'int',
    "gold": 'int',
    "entered_at": 'Time',
    "in": 'bool',
    "round": 'int | None',
    "table": 'int | None',
    "seat": 'int | None',
    "table_id": 'Id | None',
    "score": 'int',
    "margin": 'int',
    "place": 'int | None',
    "prize_silver": 'int',
    "prize_gold": 'int',
})


class TournamentEntryRequest(TypedDict):
    client_seed: NotRequired[str]
    team: NotRequired[int]


class TournamentItem(TypedDict):
    id: Id
    name: str
    kind: Literal["knockout", "stages", "swiss", "teams"]
    variant: str
    options: TableOptionsValue
    seats: int
    advance: int | None
    keep_percent: int | None
    rounds: int | None
    entry: int
    prize_table: str | None
    entries_min: int
    entries_max: int
    bots_to: int
    bot_level: Literal["easy", "medium", "strong", "master"]
    sit_and_go: bool
    starts_at: Time | None
    late_s: int
    break_s: int
    state: Literal["open", "running", "ended", "cancelled"]
    reason: Literal["too_few", "by_operator"] | None
    people: int
    bots: int
    round: int
    next_at: Time | None
    late_until: Time | None
    commit: str
    duplicate: bool
    deal_commit: str | None
    created_at: Time
    started_at: Time | None
    ended_at: Time | None
    entered: bool


class TournamentPage(TypedDict):
    items: list[TournamentItem]
    next: Next


class TournamentRequest(TypedDict):
    name: str
    kind: Literal["knockout", "stages", "swiss", "teams"]
    variant: str
    seats: int
    options: NotRequired[TableOptions]
    advance: NotRequired[int]
    keep_percent: NotRequired[int]
    rounds: NotRequired[int]
    entry: int
    prize_table: NotRequired[str]
    entries_min: NotRequired[int]
    entries_max: int
    bots_to: NotRequired[int]
    bot_level: NotRequired[Literal["easy", "medium", "strong", "master"]]
    starts_at: NotRequired[str]
    late_s: NotRequired[int]
    wait_s: NotRequired[int]
    break_s: NotRequired[int]
    duplicate: NotRequired[bool]


class TournamentSeat(TypedDict):
    tournament_id: Id
    round: int
    seat: int
    items: list[TournamentSeatItemsItem]
    next: Next


class TournamentSeatItemsItem(TypedDict):
    table: int
    seats: int
    entry: int
    player_id: Id | None
    nickname: str
    avatar: str
    bot: bool
    points: int | None
    score: int
    margin: int
    percent: float
    game_id: Id | None
    own: bool


class TournamentStandings(TypedDict):
    tournament_id: Id
    state: str
    round: int
    items: list[TournamentStandingsItemsItem]
    next: Next


TournamentStandingsItemsItem = TypedDict("TournamentStandingsItemsItem", {
    "rank": 'int',
    "place": 'int | None',
    "entry": 'int',
    "team": 'int | None',
    "player_id": 'Id | None',
    "nickname": 'str',
    "avatar": 'str',
    "bot": 'bool',
    "in": 'bool',
    "out_round": 'int | None',
    "score": 'int',
    "margin": 'int',
    "percent": 'float | None',
    "wins": 'int',
    "byes": 'int',
    "client_seed": 'str',
    "prize_silver": 'int',
    "prize_gold": 'int',
    "own": 'bool',
})


class TournamentTables(TypedDict):
    tournament_id: Id
    round: int
    items: list[TournamentTablesItemsItem]
    next: Next


class TournamentTablesItemsItem(TypedDict):
    table: int
    draw: int
    table_id: Id | None
    over: bool
    by_lot: bool
    watch: bool
    game_id: Id | None
    seats: list[TournamentTablesItemsItemSeatsItem]


class TournamentTablesItemsItemSeatsItem(TypedDict):
    seat: int
    entry: int
    team: int | None
    player_id: Id | None
    nickname: str
    bot: bool
    lot: str
    place: int | None
    points: int | None
    score: int | None
    margin: int | None
    percent: float | None
    advanced: bool


class Unread(TypedDict):
    unread: int


class UpgradeRequest(TypedDict):
    email: str
    password: Password
    nickname: NotRequired[Nickname]
    invite_code: NotRequired[str]
    device_token: NotRequired[DeviceToken]


class Vacation(TypedDict):
    on: bool
    since: str | None
    until: str | None
    days_a_year: int
    hours_left: int


class VacationChange(TypedDict):
    on: bool


class Variant(TypedDict):
    id: str
    seats_min: int
    seats_max: int
    options: list[VariantOptionsItem]


class VariantList(TypedDict):
    items: list[Variant]


class VariantOptionsItem(TypedDict):
    name: str
    least: int
    greatest: int
    default: int | None
    default_word: str | None
    values: list[str] | None


class Version(TypedDict):
    name: Literal["rummyd"]
    version: str
    api: str
    node: str


class Wallet(TypedDict):
    silver: int
    gold: int
    silver_cap: int
    holds: list[WalletHoldsItem]
    bonus: Bonus


class WalletHoldsItem(TypedDict):
    table_id: Id
    silver: int
    gold: int


class WatchTicket(TypedDict):
    table_id: Id
    ws_url: str
    ticket: str
    expires_at: Time
    delay_ms: int


class Webhook(TypedDict):
    id: Id
    url: WebhookUrl
    events: WebhookEventsValue
    active: bool
    created_at: Time
    failing_since: str | None
    off_at: str | None
    old_secret_until: str | None


class WebhookChange(TypedDict):
    url: NotRequired[WebhookUrl]
    active: NotRequired[bool]
    events: NotRequired[WebhookEvents]


class WebhookList(TypedDict):
    items: list[Webhook]


class WebhookMessage(TypedDict):
    type: str
    version: int
    timestamp: Time
    data: dict[str, Any]


class WebhookOrder(TypedDict):
    order_id: Id
    player_id: Id
    pack: str
    gold: int
    amount: int
    currency: str
    provider: str
    refunded: int


class WebhookPing(TypedDict):
    webhook: Id


class WebhookPlayer(TypedDict):
    player_id: Id


class WebhookReport(TypedDict):
    report_id: Id
    player_id: Id
    table_id: NotRequired[Id]
    club_id: NotRequired[Id]
    reason: str


class WebhookRequest(TypedDict):
    url: WebhookUrl
    events: WebhookEvents


class WebhookSeason(TypedDict):
    season: int
    starts_at: Time
    ends_at: Time


class WebhookWithSecret(TypedDict):
    id: Id
    url: WebhookUrl
    events: WebhookEventsValue
    active: bool
    created_at: Time
    failing_since: str | None
    off_at: str | None
    old_secret_until: str | None
    secret: str


class Week(TypedDict):
    week: str
    starts_at: Time
    ends_at: Time
    previous: str | None
    next: str | None
    games: int
    wins: int
    clover: int
    seconds: int
    best: WeekBest | None
    variants: list[WeekVariantsItem]
    level: int
    level_points: int
    level_points_needed: int | None
    levels_gained: int
    daily_days: int
    daily_streak_days: int
    friends: list[WeekFriendsItem]


class WeekBest(TypedDict):
    """The win that brought the most Clover points; null without a win."""

    game_id: Id
    variant: str
    room: str | None
    points: int
    clover: int
    rummy: bool


class WeekFriendsItem(TypedDict):
    player_id: Id
    nickname: str
    avatar: str
    place: int
    games: int
    wins: int


class WeekVariantsItem(TypedDict):
    variant: str
    games: int
    wins: int
    clover: int
    rating: int | None
    rating_before: int | None


ApiKeyRole: TypeAlias = Literal["jobs", "support", "money", "games", "owner"]
ApiKeyRoleValue: TypeAlias = Literal["jobs", "support", "money", "games", "owner"]
AppleNotification: TypeAlias = dict[str, Any]
Avatar: TypeAlias = str
ClubAbout: TypeAlias = str
ClubJoining: TypeAlias = Literal["ask", "open"]
ClubJoiningValue: TypeAlias = Literal["ask", "open"]
ClubName: TypeAlias = str
DailyState: TypeAlias = Literal["upcoming", "open", "closing", "final"]
DeviceToken: TypeAlias = str
Empty: TypeAlias = dict[str, Any]
Ending: TypeAlias = Literal["out", "no_cards", "stalled", "last"]
FactorCode: TypeAlias = str
GoogleNotification: TypeAlias = dict[str, Any]
GrantReason: TypeAlias = Literal["goodwill", "compensation", "prize", "correction"]
GrantReasonValue: TypeAlias = Literal["goodwill", "compensation", "prize", "correction"]
Hex32: TypeAlias = str
Id: TypeAlias = str
Language: TypeAlias = Literal[
    "en", "de", "fr", "hi", "sr-Latn", "sr-Cyrl", "ru", "ro", "pl", "es", "tr", "hr", "bn", "te", "ta"
]
LanguageValue: TypeAlias = Literal[
    "en", "de", "fr", "hi", "sr-Latn", "sr-Cyrl", "ru", "ro", "pl", "es", "tr", "hr", "bn", "te", "ta"
]
Next: TypeAlias = str | None
Nickname: TypeAlias = str
PasskeyName: TypeAlias = str
Password: TypeAlias = str
PaypalEvent: TypeAlias = dict[str, Any]
PlayedByBot: TypeAlias = bool
PlayedByProgram: TypeAlias = bool
PuzzleTheme: TypeAlias = Literal["discard", "draw", "open", "declare"]
SamePeople: TypeAlias = bool
SmsEvent: TypeAlias = dict[str, Any]
StripeEvent: TypeAlias = dict[str, Any]
TableLoss: TypeAlias = TableLossDataData | None
TableLossData: TypeAlias = dict[str, Any]
Time: TypeAlias = str
TokenScope: TypeAlias = Literal["read", "play", "chat", "social"]
TokenScopeValue: TypeAlias = Literal["read", "play", "chat", "social"]
TookPart: TypeAlias = bool
WebhookEvent: TypeAlias = Literal[
    "order.paid", "order.refunded", "order.disputed", "player.banned", "player.unbanned", "player.deleted",
    "report.opened", "season.closed"
]
WebhookEventValue: TypeAlias = Literal[
    "order.paid", "order.refunded", "order.disputed", "player.banned", "player.unbanned", "player.deleted",
    "report.opened", "season.closed"
]
WebhookUrl: TypeAlias = str
WebhookEvents: TypeAlias = list[WebhookEvent]
WebhookEventsValue: TypeAlias = list[WebhookEventValue]
