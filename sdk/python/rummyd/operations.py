"""Every operation of REST. Made by scripts/bundle from openapi.yaml; do not change it here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

from .keys import new_key
from .schemas import (
    AcceptInvite, Account, AchievementChange, AchievementList, AdminAchievement, AdminAchievementList,
    AdminClub, AdminClubPage, AdminNode, AdminNodes, AdminOrder, AdminOrderPage, AdminPack, AdminPackList,
    AdminPlayer, AdminPlayerPage, AdminPlayerSearch, AdminPlayersFound, AdminRebalance, AdminRoom,
    AdminRoomList, AdminStatus, AdminTable, AdminTablePage, AdminTournament, AdminTournamentEntryPage,
    AdminTournamentPage, ApiKey, ApiKeyMade, ApiKeyPage, ApiKeyRequest, ApiKeyRotation, AppleNotification,
    AuditPage, Block, BoardAround, BoardPage, Bot, BotChange, BotList, BotRequest, BotTokenList, BotTokenMade,
    BotTokenRequest, ChipGrant, ChipGrantPage, ChipGrantRequest, Club, ClubChange, ClubList, ClubMemberPage,
    ClubMessage, ClubMessagePage, ClubMessageReportRequest, ClubMessageRequest, ClubPage, ClubRenameRequest,
    ClubReportRequest, ClubRequest, ClubRole, ClubTablePage, Collusion, DailyBoard, DailyDeals, DailyPlay,
    DailyPuzzle, DailySeeds, Deletion, DeletionRequest, Delivery, DeliveryPage, Device, DeviceList,
    DeviceRequest, EmailChange, Empty, Export, ExportRequest, Factor, FactorConfirmRequest,
    FactorLoginRequest, FactorProof, FactorSetup, FactorSetupRequest, FlagPage, ForgotRequest, FriendList,
    FriendState, Game, GamePage, GoogleNotification, GuestRequest, Health, Id, IdentityList, InviteAccepted,
    InviteLink, InviteList, JobList, JobRun, LeagueList, LeagueTable, LedgerProof, LobbyTicket, LoginRequest,
    LostMovePage, MailLinkRequest, Me, MeChange, MuteRequest, MyPuzzles, MySeasons, MyTables, NoteRequest,
    NotificationPage, NotificationSettings, NotificationSettingsChange, Order, OrderPage, OrderRequest,
    PackChange, PackList, Passkey, PasskeyChange, PasskeyList, PasskeyLogin, PasskeyLoginOptions, PasskeyNew,
    PasskeyOptions, PasskeyProof, PasswordChange, PaypalEvent, PlayLimits, PlayLimitsChange, Player,
    PlayerNoteRequest, PlayerVariant, PlayersFound, PostingPage, PrizeTable, PrizeTableList,
    PrizeTableRequest, ProviderList, Push, Puzzle, PuzzleTry, PuzzleTryRequest, QuestList, ReadNotifications,
    Ready, ReasonRequest, ReceiptRequest, Received, RecoveryCodes, RefreshRequest, RefundRequest,
    RegisterRequest, RenameRequest, Report, ReportPage, ResetRequest, ResetWays, RolloverPreview, RoomChange,
    RoomList, RoomRequest, Seat, SeparationRequest, Session, SessionList, SettledFlag, SignInBegun,
    SignInFinish, SignInRequest, SmsEvent, Snapshot, StoreAccount, StripeEvent, TableByCode, TableLink,
    TablePage, TableRequest, TokenEntry, TokenSession, Tournament, TournamentDetail, TournamentEntry,
    TournamentEntryRequest, TournamentPage, TournamentRequest, TournamentSeat, TournamentStandings,
    TournamentTables, Unread, UpgradeRequest, Vacation, VacationChange, VariantList, Version, Wallet,
    WatchTicket, Webhook, WebhookChange, WebhookList, WebhookRequest, WebhookWithSecret, Week,
)


class Operations(ABC):
    """One method per operation, named after its operationId. Requests that create something have a `key`; by
    default, each call generates a new one."""

    @abstractmethod
    def ask(
        self, method: str, path: str, *names: str,
        body: Any = None, query: Any = None, key: str | None = None, text: bool = False,
    ) -> Any:
        """Sends a request and returns the body of the response, or raises ApiError. names: values for the
        parameters in the path."""

    def enter_as_guest(self, body: GuestRequest) -> Session:
        """Enter as a guest."""
        return self.ask("POST", "/v1/auth/guest", body=body)

    def register(self, body: RegisterRequest) -> Session:
        """Create an account."""
        return self.ask("POST", "/v1/auth/register", body=body)

    def upgrade(self, body: UpgradeRequest) -> Session:
        """Turn a guest into an account."""
        return self.ask("POST", "/v1/auth/upgrade", body=body)

    def login(self, body: LoginRequest) -> Session:
        """Sign in with email address and password."""
        return self.ask("POST", "/v1/auth/login", body=body)

    def login_factor(self, body: FactorLoginRequest) -> Session:
        """Sign in: second step."""
        return self.ask("POST", "/v1/auth/login/factor", body=body)

    def refresh(self, body: RefreshRequest) -> Session:
        """Exchange a refresh token for new tokens."""
        return self.ask("POST", "/v1/auth/refresh", body=body)

    def logout(self, body: RefreshRequest) -> None:
        """End the session of a refresh token."""
        self.ask("POST", "/v1/auth/logout", body=body)

    def verify_email(self, body: MailLinkRequest) -> None:
        """Confirm an email address with the link from an email."""
        self.ask("POST", "/v1/auth/verify-email", body=body)

    def undo_email(self, body: MailLinkRequest) -> None:
        """Undo a change of the email address."""
        self.ask("POST", "/v1/auth/undo-email", body=body)

    def unlock_account(self, body: MailLinkRequest) -> None:
        """Remove the lock caused by wrong passwords."""
        self.ask("POST", "/v1/auth/unlock", body=body)

    def forgot_password(self, body: ForgotRequest) -> None:
        """Request a link to choose a new password."""
        self.ask("POST", "/v1/auth/forgot", body=body)

    def reset_password(self, body: ResetRequest) -> None:
        """Choose a new password with the link from an email."""
        self.ask("POST", "/v1/auth/reset", body=body)

    def get_reset_ways(self, body: MailLinkRequest) -> ResetWays:
        """Count the sign-in methods that a reset would remove."""
        return self.ask("POST", "/v1/auth/reset/ways", body=body)

    def logout_others(self) -> None:
        """End all other sessions of the player."""
        self.ask("POST", "/v1/auth/logout-others")

    def logout_everywhere(self) -> None:
        """End all sessions of the player, including this one."""
        self.ask("POST", "/v1/auth/logout-everywhere")

    def list_providers(self) -> ProviderList:
        """List the sign-in providers."""
        return self.ask("GET", "/v1/auth/oidc")

    def begin_sign_in(self, provider: str, body: SignInRequest | None = None) -> SignInBegun:
        """Start signing in with a provider."""
        return self.ask("POST", "/v1/auth/oidc/{provider}", provider, body=body)

    def finish_sign_in(self, provider: str, body: SignInFinish) -> Session:
        """Finish signing in with a provider."""
        return self.ask("POST", "/v1/auth/oidc/{provider}/finish", provider, body=body)

    def list_identities(self) -> IdentityList:
        """List the player's sign-in providers."""
        return self.ask("GET", "/v1/me/identities")

    def unlink_identity(self, identity: str) -> None:
        """Unlink a provider from the account."""
        self.ask("DELETE", "/v1/me/identities/{identity}", identity)

    def begin_link(self, provider: str, body: SignInRequest | None = None) -> SignInBegun:
        """Start linking a provider to the account."""
        return self.ask("POST", "/v1/me/oidc/{provider}", provider, body=body)

    def finish_link(self, provider: str, body: SignInFinish) -> Session:
        """Finish linking a provider to the account."""
        return self.ask("POST", "/v1/me/oidc/{provider}/finish", provider, body=body)

    def get_me(self) -> Me:
        """The signed-in player."""
        return self.ask("GET", "/v1/me")

    def change_me(self, body: MeChange) -> Me:
        """Change nickname, avatar, or language."""
        return self.ask("PATCH", "/v1/me", body=body)

    def get_account(self) -> Account:
        """List the account's ways to sign in."""
        return self.ask("GET", "/v1/me/account")

    def list_my_tables(self) -> MyTables:
        """List tables at which the player has a seat."""
        return self.ask("GET", "/v1/me/tables")

    def get_vacation(self) -> Vacation:
        """Get the player's vacation."""
        return self.ask("GET", "/v1/me/vacation")

    def set_vacation(self, body: VacationChange) -> Vacation:
        """Begin or end a vacation."""
        return self.ask("PUT", "/v1/me/vacation", body=body)

    def list_sessions(self) -> SessionList:
        """List the player's sessions."""
        return self.ask("GET", "/v1/me/sessions")

    def end_session(self, session: str) -> None:
        """End a session."""
        self.ask("DELETE", "/v1/me/sessions/{session}", session)

    def get_limits(self) -> PlayLimits:
        """Get the limits that the player has set."""
        return self.ask("GET", "/v1/me/limits")

    def change_limits(self, body: PlayLimitsChange) -> PlayLimits:
        """Set limits."""
        return self.ask("PATCH", "/v1/me/limits", body=body)

    def change_password(self, body: PasswordChange) -> None:
        """Change the password."""
        self.ask("POST", "/v1/me/password", body=body)

    def change_email(self, body: EmailChange) -> None:
        """Change the email address."""
        self.ask("POST", "/v1/me/email", body=body)

    def send_verification(self) -> None:
        """Resend the link that confirms the email address."""
        self.ask("POST", "/v1/me/email/verification")

    def confirm_email(self, body: MailLinkRequest) -> None:
        """Confirm an email address while signed in."""
        self.ask("POST", "/v1/me/email/confirmation", body=body)

    def get_deletion(self) -> Deletion:
        """Get the pending deletion of the account."""
        return self.ask("GET", "/v1/me/deletion")

    def request_deletion(self, body: DeletionRequest) -> Deletion:
        """Delete the account."""
        return self.ask("POST", "/v1/me/deletion", body=body)

    def cancel_deletion(self) -> Deletion:
        """Cancel the deletion of the account."""
        return self.ask("DELETE", "/v1/me/deletion")

    def get_factor(self) -> Factor:
        """Get the state of the second factor."""
        return self.ask("GET", "/v1/me/factor")

    def set_up_factor(self, body: FactorSetupRequest) -> FactorSetup:
        """Start setting up a second factor."""
        return self.ask("POST", "/v1/me/factor", body=body)

    def confirm_factor(self, body: FactorConfirmRequest) -> RecoveryCodes:
        """Switch the second factor on."""
        return self.ask("POST", "/v1/me/factor/confirm", body=body)

    def renew_recovery_codes(self, body: FactorProof) -> RecoveryCodes:
        """Create new recovery codes."""
        return self.ask("POST", "/v1/me/factor/recovery-codes", body=body)

    def switch_factor_off(self, body: FactorProof) -> None:
        """Switch the second factor off."""
        self.ask("POST", "/v1/me/factor/off", body=body)

    def get_export(self) -> Export:
        """Get the state of the player's data export."""
        return self.ask("GET", "/v1/me/export")

    def request_export(self, body: ExportRequest | None = None) -> Export:
        """Create an export of all data about the player."""
        return self.ask("POST", "/v1/me/export", body=body)

    def get_export_part(self, export: str, part: str) -> str:
        """Download a part of the data export."""
        return self.ask("GET", "/v1/me/export/{export}/parts/{part}", export, part, text=True)

    def begin_passkey_login(self) -> PasskeyLoginOptions:
        """Request a challenge to sign in with a passkey."""
        return self.ask("POST", "/v1/auth/passkey/begin")

    def login_with_passkey(self, body: PasskeyLogin) -> Session:
        """Sign in with a passkey."""
        return self.ask("POST", "/v1/auth/passkey", body=body)

    def list_passkeys(self) -> PasskeyList:
        """List the player's passkeys."""
        return self.ask("GET", "/v1/me/passkeys")

    def add_passkey(self, body: PasskeyNew) -> Passkey:
        """Add a passkey."""
        return self.ask("POST", "/v1/me/passkeys", body=body)

    def begin_passkey(self, body: PasskeyProof | None = None) -> PasskeyOptions:
        """Request a challenge to add a passkey."""
        return self.ask("POST", "/v1/me/passkey/begin", body=body)

    def rename_passkey(self, passkey: str, body: PasskeyChange) -> Passkey:
        """Rename a passkey."""
        return self.ask("PATCH", "/v1/me/passkeys/{passkey}", passkey, body=body)

    def remove_passkey(self, passkey: str, body: PasskeyProof | None = None) -> None:
        """Remove a passkey."""
        self.ask("POST", "/v1/me/passkeys/{passkey}/remove", passkey, body=body)

    def enter_with_token(self, body: TokenEntry) -> TokenSession:
        """Exchange a bot token for an access token."""
        return self.ask("POST", "/v1/auth/token", body=body)

    def list_bots(self) -> BotList:
        """List the player's bots."""
        return self.ask("GET", "/v1/me/bots")

    def make_bot(self, body: BotRequest, *, key: str | None = None) -> Bot:
        """Create a bot."""
        return self.ask("POST", "/v1/me/bots", body=body, key=key or new_key())

    def change_bot(self, bot: str, body: BotChange) -> Bot:
        """Change a bot's nickname or avatar."""
        return self.ask("PATCH", "/v1/me/bots/{bot}", bot, body=body)

    def retire_bot(self, bot: str) -> None:
        """Delete a bot."""
        self.ask("DELETE", "/v1/me/bots/{bot}", bot)

    def list_bot_tokens(self, bot: str) -> BotTokenList:
        """List the tokens of a bot."""
        return self.ask("GET", "/v1/me/bots/{bot}/tokens", bot)

    def make_bot_token(self, bot: str, body: BotTokenRequest, *, key: str | None = None) -> BotTokenMade:
        """Create a bot token."""
        return self.ask("POST", "/v1/me/bots/{bot}/tokens", bot, body=body, key=key or new_key())

    def revoke_bot_token(self, bot: str, token: str) -> None:
        """Revoke a bot token."""
        self.ask("DELETE", "/v1/me/bots/{bot}/tokens/{token}", bot, token)

    def get_push(self) -> Push:
        """Get what a device needs to receive push messages."""
        return self.ask("GET", "/v1/push")

    def list_devices(self) -> DeviceList:
        """List devices that receive push messages."""
        return self.ask("GET", "/v1/me/devices")

    def add_device(self, body: DeviceRequest) -> Device:
        """Register this device for push messages."""
        return self.ask("POST", "/v1/me/devices", body=body)

    def remove_device(self, device: str) -> None:
        """Stop pushing to a device."""
        self.ask("DELETE", "/v1/me/devices/{device}", device)

    def get_notification_settings(self) -> NotificationSettings:
        """Get the player's notification settings."""
        return self.ask("GET", "/v1/me/notification-settings")

    def change_notification_settings(self, body: NotificationSettingsChange) -> NotificationSettings:
        """Change the notification settings."""
        return self.ask("PATCH", "/v1/me/notification-settings", body=body)

    def mute_player(self, player: str) -> Block:
        """Mute a player."""
        return self.ask("PUT", "/v1/players/{player}/mute", player)

    def unmute_player(self, player: str) -> Block:
        """Unmute a player."""
        return self.ask("DELETE", "/v1/players/{player}/mute", player)

    def block_player(self, player: str) -> Block:
        """Block a player."""
        return self.ask("PUT", "/v1/players/{player}/block", player)

    def unblock_player(self, player: str) -> Block:
        """Unblock a player."""
        return self.ask("DELETE", "/v1/players/{player}/block", player)

    def list_blocks(self, *, cursor: str | None = None, limit: int | None = None) -> dict[str, Any]:
        """List muted and blocked players."""
        return self.ask("GET", "/v1/me/blocks", query={"cursor": cursor, "limit": limit})

    def get_wallet(self) -> Wallet:
        """Get both purses, the silver cap, and held stakes."""
        return self.ask("GET", "/v1/wallet")

    def collect_daily_bonus(self) -> Wallet:
        """Claim the daily bonus that is due."""
        return self.ask("POST", "/v1/wallet/daily-bonus")

    def list_postings(
        self, *, cause: Literal["achievement", "correction", "daily", "entry", "entry_back", "grant",
        "invite", "league", "level", "month", "over_cap", "pot", "prize", "quest", "refund", "reward", "shop",
        "shop_back", "shop_return", "stake", "stake_back", "welcome"] | None = None, since: str | None = None,
        until: str | None = None, format: Literal["json", "ndjson"] | None = None, cursor: str | None = None,
        limit: int | None = None,
    ) -> PostingPage:
        """List every change of the purses, newest first."""
        return self.ask(
            "GET", "/v1/wallet/postings", query={"cause": cause, "since": since, "until": until,
            "format": format, "cursor": cursor, "limit": limit},
        )

    def list_packs(self) -> PackList:
        """List packs of gold on sale and payment methods."""
        return self.ask("GET", "/v1/shop/packs")

    def list_orders(self, *, cursor: str | None = None, limit: int | None = None) -> OrderPage:
        """List the player's orders, newest first."""
        return self.ask("GET", "/v1/shop/orders", query={"cursor": cursor, "limit": limit})

    def create_order(self, body: OrderRequest, *, key: str | None = None) -> Order:
        """Order a pack of gold."""
        return self.ask("POST", "/v1/shop/orders", body=body, key=key or new_key())

    def get_order(self, order: str) -> Order:
        """Get an order of the player."""
        return self.ask("GET", "/v1/shop/orders/{order}", order)

    def stripe_webhook(self, body: StripeEvent) -> Received:
        """Receive events from Stripe."""
        return self.ask("POST", "/v1/shop/webhooks/stripe", body=body)

    def paypal_webhook(self, body: PaypalEvent) -> Received:
        """Receive events from PayPal."""
        return self.ask("POST", "/v1/shop/webhooks/paypal", body=body)

    def sms_webhook(self, body: SmsEvent) -> Received:
        """Receive events of paid SMS from the carrier."""
        return self.ask("POST", "/v1/shop/webhooks/sms", body=body)

    def apple_webhook(self, body: AppleNotification) -> Received:
        """Receive events of purchases in Apple's App Store."""
        return self.ask("POST", "/v1/shop/webhooks/apple", body=body)

    def google_webhook(self, body: GoogleNotification) -> Received:
        """Receive events of purchases in Google Play."""
        return self.ask("POST", "/v1/shop/webhooks/google", body=body)

    def get_store_account(self) -> StoreAccount:
        """Get what an app needs to sell through its store."""
        return self.ask("GET", "/v1/shop/account")

    def submit_receipt(self, body: ReceiptRequest, *, key: str | None = None) -> Order:
        """Submit the receipt of a store purchase."""
        return self.ask("POST", "/v1/shop/receipts", body=body, key=key or new_key())

    def list_rooms(self) -> RoomList:
        """List rooms, with those that are open to the player."""
        return self.ask("GET", "/v1/rooms")

    def take_seat(self, room: str, body: Empty | None = None, *, key: str | None = None) -> Seat:
        """Take a seat in a room."""
        return self.ask("POST", "/v1/rooms/{room}/seats", room, body=body, key=key or new_key())

    def list_variants(self) -> VariantList:
        """List variants and their options."""
        return self.ask("GET", "/v1/variants")

    def list_tables(
        self, *, variant: Literal["rummy51", "straight", "treff", "rummy40", "rami", "points", "pool101",
        "pool201", "deals2", "deals3"] | None = None, bot_accounts: bool | None = None,
        cursor: str | None = None, limit: int | None = None,
    ) -> TablePage:
        """List public tables that wait for players."""
        return self.ask(
            "GET", "/v1/tables", query={"variant": variant, "bot_accounts": bot_accounts, "cursor": cursor,
            "limit": limit},
        )

    def open_table(self, body: TableRequest, *, key: str | None = None) -> Seat:
        """Open a table."""
        return self.ask("POST", "/v1/tables", body=body, key=key or new_key())

    def get_table_by_code(self, code: str) -> TableByCode:
        """Get the private table behind a code, as a player."""
        return self.ask("GET", "/v1/tables/by-code/{code}/invitation", code)

    def get_table_link(self, code: str) -> TableLink:
        """Get the private table behind an invitation link."""
        return self.ask("GET", "/v1/tables/by-code/{code}/link", code)

    def take_seat_by_code(self, code: str, body: Empty | None = None, *, key: str | None = None) -> Seat:
        """Take a seat at a private table by its code."""
        return self.ask("POST", "/v1/tables/by-code/{code}/seats", code, body=body, key=key or new_key())

    def get_table(self, table: str) -> Snapshot:
        """Get a live table as the player sees it."""
        return self.ask("GET", "/v1/tables/{table}", table)

    def new_ticket(self, table: str, body: Empty | None = None, *, key: str | None = None) -> Seat:
        """Get a new ticket for the player's seat."""
        return self.ask("POST", "/v1/tables/{table}/tickets", table, body=body, key=key or new_key())

    def take_table_seat(self, table: str, body: Empty | None = None, *, key: str | None = None) -> Seat:
        """Take a seat at a public table."""
        return self.ask("POST", "/v1/tables/{table}/seats", table, body=body, key=key or new_key())

    def watch_table(
        self, table: str, body: dict[str, Any] | None = None, *, key: str | None = None,
    ) -> WatchTicket:
        """Get a ticket to watch a table."""
        return self.ask("POST", "/v1/tables/{table}/spectators", table, body=body, key=key or new_key())

    def report_player(self, table: str, body: dict[str, Any]) -> dict[str, Any]:
        """Report a player at the table."""
        return self.ask("POST", "/v1/tables/{table}/reports", table, body=body)

    def list_chat(self, table: str, *, cursor: str | None = None, limit: int | None = None) -> dict[str, Any]:
        """Get the chat of a table."""
        return self.ask("GET", "/v1/tables/{table}/chat", table, query={"cursor": cursor, "limit": limit})

    def play_again(self, table: str, body: Empty | None = None, *, key: str | None = None) -> Seat:
        """Take a seat at the rematch of a table."""
        return self.ask("POST", "/v1/tables/{table}/rematch", table, body=body, key=key or new_key())

    def leave_seat(self, table: str) -> None:
        """Give up a seat before the game begins."""
        self.ask("DELETE", "/v1/tables/{table}/seats/me", table)

    def list_daily_deals(self) -> DailyDeals:
        """List daily deals with the player's results."""
        return self.ask("GET", "/v1/daily-deals")

    def play_daily_deal(
        self, day: str, variant: str, body: DailyPlay | None = None, *, key: str | None = None,
    ) -> Seat:
        """Take a seat at the player's table of a daily deal."""
        return self.ask(
            "POST", "/v1/daily-deals/{day}/{variant}/plays", day, variant, body=body, key=key or new_key(),
        )

    def get_daily_board(
        self, day: str, variant: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> DailyBoard:
        """Get the leaderboard of a daily deal."""
        return self.ask(
            "GET", "/v1/daily-deals/{day}/{variant}/board", day, variant, query={"cursor": cursor,
            "limit": limit},
        )

    def list_daily_seeds(
        self, day: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> DailySeeds:
        """List the seeds behind the client seed of a day."""
        return self.ask("GET", "/v1/daily-deals/{day}/seeds", day, query={"cursor": cursor, "limit": limit})

    def get_daily_puzzle(self) -> DailyPuzzle:
        """Get the puzzle of the day."""
        return self.ask("GET", "/v1/puzzles/daily")

    def get_next_puzzle(
        self, *, variant: Literal["rummy51", "straight", "treff", "rummy40", "rami", "points", "pool101",
        "pool201", "deals2", "deals3"] | None = None, theme: Literal["discard", "draw", "open",
        "declare"] | None = None, tag: str | None = None,
    ) -> Puzzle:
        """Get a puzzle that the player has not tried."""
        return self.ask("GET", "/v1/puzzles/next", query={"variant": variant, "theme": theme, "tag": tag})

    def get_puzzle(self, puzzle: str) -> Puzzle:
        """Get a puzzle."""
        return self.ask("GET", "/v1/puzzles/{puzzle}", puzzle)

    def try_puzzle(self, puzzle: str, body: PuzzleTryRequest) -> PuzzleTry:
        """Try a puzzle."""
        return self.ask("POST", "/v1/puzzles/{puzzle}/tries", puzzle, body=body)

    def get_my_puzzles(self) -> MyPuzzles:
        """Get the player's puzzle rating and results."""
        return self.ask("GET", "/v1/me/puzzles")

    def events(self) -> None:
        """Read the lobby as server-sent events."""
        self.ask("GET", "/v1/events")

    def new_lobby_ticket(self, body: Empty | None = None, *, key: str | None = None) -> LobbyTicket:
        """Get a ticket for the lobby."""
        return self.ask("POST", "/v1/lobby/tickets", body=body, key=key or new_key())

    def list_games(
        self, *, variant: Literal["rummy51", "straight", "treff", "rummy40", "rami", "points", "pool101",
        "pool201", "deals2", "deals3"] | None = None, since: str | None = None, until: str | None = None,
        format: Literal["json", "ndjson"] | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> GamePage:
        """List the player's finished games, newest first."""
        return self.ask(
            "GET", "/v1/games", query={"variant": variant, "since": since, "until": until, "format": format,
            "cursor": cursor, "limit": limit},
        )

    def get_game(self, game: str) -> Game:
        """Get a finished game with results and fairness data."""
        return self.ask("GET", "/v1/games/{game}", game)

    def get_record(self, game: str, *, hand: int | None = None) -> str:
        """Get the record of a finished game."""
        return self.ask("GET", "/v1/games/{game}/record", game, query={"hand": hand}, text=True)

    def healthz(self) -> Health:
        """Check that the process is alive."""
        return self.ask("GET", "/healthz")

    def readyz(self) -> Ready:
        """Check that the process can serve."""
        return self.ask("GET", "/readyz")

    def metrics(self) -> str:
        """Get metrics in the Prometheus text format."""
        return self.ask("GET", "/metrics", text=True)

    def version(self) -> Version:
        """Get the version of the server."""
        return self.ask("GET", "/version")

    def openapi(self) -> str:
        """Get this contract."""
        return self.ask("GET", "/openapi.yaml", text=True)

    def asyncapi(self) -> str:
        """Get the contract of the live tables."""
        return self.ask("GET", "/asyncapi.yaml", text=True)

    def docs(self) -> str:
        """Read this contract as a page."""
        return self.ask("GET", "/docs", text=True)

    def docs_script(self) -> str:
        """Get the script of that page."""
        return self.ask("GET", "/docs.js", text=True)

    def docs_style(self) -> str:
        """Get the styles of that page."""
        return self.ask("GET", "/docs.css", text=True)

    def list_leagues(self) -> LeagueList:
        """List the leagues, with the season's end and the player's place."""
        return self.ask("GET", "/v1/leagues")

    def get_league_table(
        self, league: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> LeagueTable:
        """Get the table of a league in the current season."""
        return self.ask("GET", "/v1/leagues/{league}", league, query={"cursor": cursor, "limit": limit})

    def list_my_seasons(self, *, cursor: str | None = None, limit: int | None = None) -> MySeasons:
        """List the player's results at the end of each season."""
        return self.ask("GET", "/v1/me/seasons", query={"cursor": cursor, "limit": limit})

    def list_tournaments(
        self, *, state: Literal["open", "running", "ended", "cancelled"] | None = None,
        kind: Literal["knockout", "stages", "swiss", "teams"] | None = None, variant: Literal["rummy51",
        "straight", "treff", "rummy40", "rami", "points", "pool101", "pool201", "deals2",
        "deals3"] | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> TournamentPage:
        """List tournaments, newest first."""
        return self.ask(
            "GET", "/v1/tournaments", query={"state": state, "kind": kind, "variant": variant,
            "cursor": cursor, "limit": limit},
        )

    def get_tournament(self, tournament: str) -> TournamentDetail:
        """Get a tournament with the player's entry, prizes, and draws."""
        return self.ask("GET", "/v1/tournaments/{tournament}", tournament)

    def list_tournament_standings(
        self, tournament: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> TournamentStandings:
        """List the standings of a tournament."""
        return self.ask(
            "GET", "/v1/tournaments/{tournament}/standings", tournament, query={"cursor": cursor,
            "limit": limit},
        )

    def list_tournament_tables(
        self, tournament: str, round: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> TournamentTables:
        """List the tables of a round."""
        return self.ask(
            "GET", "/v1/tournaments/{tournament}/rounds/{round}/tables", tournament, round,
            query={"cursor": cursor, "limit": limit},
        )

    def list_tournament_seat(
        self, tournament: str, round: str, seat: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> TournamentSeat:
        """Compare everyone who played the same cards."""
        return self.ask(
            "GET", "/v1/tournaments/{tournament}/rounds/{round}/seats/{seat}", tournament, round, seat,
            query={"cursor": cursor, "limit": limit},
        )

    def enter_tournament(
        self, tournament: str, body: TournamentEntryRequest | None = None, *, key: str | None = None,
    ) -> TournamentEntry:
        """Enter a tournament."""
        return self.ask(
            "POST", "/v1/tournaments/{tournament}/entries", tournament, body=body, key=key or new_key(),
        )

    def withdraw_from_tournament(self, tournament: str) -> None:
        """Withdraw from a tournament before it begins."""
        self.ask("DELETE", "/v1/tournaments/{tournament}/entries/me", tournament)

    def admin_list_tournaments(
        self, *, state: Literal["open", "running", "ended", "cancelled"] | None = None,
        kind: Literal["knockout", "stages", "swiss", "teams"] | None = None, variant: Literal["rummy51",
        "straight", "treff", "rummy40", "rami", "points", "pool101", "pool201", "deals2",
        "deals3"] | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> AdminTournamentPage:
        """List tournaments, newest first, by state, kind, and variant."""
        return self.ask(
            "GET", "/v1/admin/tournaments", query={"state": state, "kind": kind, "variant": variant,
            "cursor": cursor, "limit": limit},
        )

    def make_tournament(self, body: TournamentRequest, *, key: str | None = None) -> Tournament:
        """Announce a tournament."""
        return self.ask("POST", "/v1/admin/tournaments", body=body, key=key or new_key())

    def admin_get_tournament(self, tournament: str) -> AdminTournament:
        """Get a tournament with its pot, tables, and log."""
        return self.ask("GET", "/v1/admin/tournaments/{tournament}", tournament)

    def admin_list_tournament_entries(
        self, tournament: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> AdminTournamentEntryPage:
        """List the entries of a tournament with payments and prizes."""
        return self.ask(
            "GET", "/v1/admin/tournaments/{tournament}/entries", tournament, query={"cursor": cursor,
            "limit": limit},
        )

    def cancel_tournament(
        self, tournament: str, body: ReasonRequest, *, key: str | None = None,
    ) -> Tournament:
        """Cancel a tournament."""
        return self.ask(
            "POST", "/v1/admin/tournaments/{tournament}/cancel", tournament, body=body, key=key or new_key(),
        )

    def list_prize_tables(self) -> PrizeTableList:
        """List prize tables."""
        return self.ask("GET", "/v1/admin/prize-tables")

    def make_prize_table(self, body: PrizeTableRequest, *, key: str | None = None) -> PrizeTable:
        """Create a prize table."""
        return self.ask("POST", "/v1/admin/prize-tables", body=body, key=key or new_key())

    def get_status(self) -> AdminStatus:
        """Get the rights of the key, pending work, players online, and the nodes."""
        return self.ask("GET", "/v1/admin/status")

    def list_nodes(self) -> AdminNodes:
        """List the nodes with their last reports."""
        return self.ask("GET", "/v1/admin/nodes")

    def drain_node(self, node: str, body: Empty | None = None, *, key: str | None = None) -> AdminNode:
        """Drain a node: hand its tables to other nodes."""
        return self.ask("POST", "/v1/admin/nodes/{node}/drain", node, body=body, key=key or new_key())

    def undrain_node(self, node: str, body: Empty | None = None, *, key: str | None = None) -> AdminNode:
        """Undo the draining of a node."""
        return self.ask("POST", "/v1/admin/nodes/{node}/drain/undo", node, body=body, key=key or new_key())

    def rebalance_nodes(self, body: Empty | None = None, *, key: str | None = None) -> AdminRebalance:
        """Redistribute the running tables."""
        return self.ask("POST", "/v1/admin/nodes/rebalance", body=body, key=key or new_key())

    def list_keys(self, *, cursor: str | None = None, limit: int | None = None) -> ApiKeyPage:
        """List all API keys, newest first."""
        return self.ask("GET", "/v1/admin/keys", query={"cursor": cursor, "limit": limit})

    def make_key(self, body: ApiKeyRequest, *, key: str | None = None) -> ApiKeyMade:
        """Create an API key."""
        return self.ask("POST", "/v1/admin/keys", body=body, key=key or new_key())

    def get_key(self, api_key: str) -> ApiKey:
        """Get an API key."""
        return self.ask("GET", "/v1/admin/keys/{api_key}", api_key)

    def rotate_key(
        self, api_key: str, body: ApiKeyRotation | None = None, *, key: str | None = None,
    ) -> ApiKeyMade:
        """Replace the secret of an API key."""
        return self.ask("POST", "/v1/admin/keys/{api_key}/rotate", api_key, body=body, key=key or new_key())

    def revoke_key(self, api_key: str, body: Empty | None = None, *, key: str | None = None) -> ApiKey:
        """Revoke an API key."""
        return self.ask("POST", "/v1/admin/keys/{api_key}/revoke", api_key, body=body, key=key or new_key())

    def grant_chips(self, player: str, body: ChipGrantRequest, *, key: str | None = None) -> ChipGrant:
        """Give chips to a player, or take some."""
        return self.ask("POST", "/v1/admin/players/{player}/grants", player, body=body, key=key or new_key())

    def list_grants(
        self, *, cursor: str | None = None, limit: int | None = None, player: Id | None = None,
        state: Literal["waiting", "done", "refused", "lapsed"] | None = None,
    ) -> ChipGrantPage:
        """List chip grants, newest first, by player and state."""
        return self.ask(
            "GET", "/v1/admin/grants", query={"cursor": cursor, "limit": limit, "player": player,
            "state": state},
        )

    def get_grant(self, grant: str) -> ChipGrant:
        """Get a chip grant."""
        return self.ask("GET", "/v1/admin/grants/{grant}", grant)

    def approve_grant(self, grant: str, body: Empty | None = None, *, key: str | None = None) -> ChipGrant:
        """Approve a waiting grant."""
        return self.ask("POST", "/v1/admin/grants/{grant}/approve", grant, body=body, key=key or new_key())

    def refuse_grant(self, grant: str, body: Empty | None = None, *, key: str | None = None) -> ChipGrant:
        """Refuse a waiting grant."""
        return self.ask("POST", "/v1/admin/grants/{grant}/refuse", grant, body=body, key=key or new_key())

    def preview_rollover(self, *, cursor: str | None = None, limit: int | None = None) -> RolloverPreview:
        """Preview the promotions and relegations if the season ended now."""
        return self.ask("GET", "/v1/admin/seasons/rollover", query={"cursor": cursor, "limit": limit})

    def roll_seasons(self, body: Empty | None = None, *, key: str | None = None) -> JobRun:
        """End every overdue season."""
        return self.ask("POST", "/v1/admin/seasons/rollover", body=body, key=key or new_key())

    def list_jobs(self) -> JobList:
        """List the jobs, their last runs, and which are overdue."""
        return self.ask("GET", "/v1/admin/jobs")

    def run_job(self, job: str, body: Empty | None = None, *, key: str | None = None) -> JobRun:
        """Run a job."""
        return self.ask("POST", "/v1/admin/jobs/{job}", job, body=body, key=key or new_key())

    def list_audit(
        self, *, cursor: str | None = None, limit: int | None = None, player: Id | None = None,
        key: str | None = None, action: str | None = None, since: str | None = None, until: str | None = None,
    ) -> AuditPage:
        """List requests made with API keys, newest first."""
        return self.ask(
            "GET", "/v1/admin/audit", query={"cursor": cursor, "limit": limit, "player": player, "key": key,
            "action": action, "since": since, "until": until},
        )

    def admin_list_orders(
        self, *, cursor: str | None = None, limit: int | None = None, player: Id | None = None,
        state: Literal["created", "pending", "paid", "failed", "expired", "refunding", "refunded", "disputed",
        "charged_back"] | None = None, since: str | None = None, until: str | None = None,
    ) -> AdminOrderPage:
        """List orders, newest first, by player, state, and time."""
        return self.ask(
            "GET", "/v1/admin/orders", query={"cursor": cursor, "limit": limit, "player": player,
            "state": state, "since": since, "until": until},
        )

    def admin_get_order(self, order: str) -> AdminOrder:
        """Get an order with its log, refunds, and flags."""
        return self.ask("GET", "/v1/admin/orders/{order}", order)

    def refund_order(self, order: str, body: RefundRequest, *, key: str | None = None) -> AdminOrder:
        """Refund an order."""
        return self.ask("POST", "/v1/admin/orders/{order}/refund", order, body=body, key=key or new_key())

    def list_reports(self, *, cursor: str | None = None, limit: int | None = None) -> ReportPage:
        """List reported players and clubs, oldest first."""
        return self.ask("GET", "/v1/admin/reports", query={"cursor": cursor, "limit": limit})

    def close_report(self, report: str, body: NoteRequest, *, key: str | None = None) -> Report:
        """Close a report."""
        return self.ask("POST", "/v1/admin/reports/{report}/close", report, body=body, key=key or new_key())

    def admin_list_clubs(
        self, *, q: str | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> AdminClubPage:
        """List clubs, newest first."""
        return self.ask("GET", "/v1/admin/clubs", query={"q": q, "cursor": cursor, "limit": limit})

    def admin_get_club(self, club: str) -> AdminClub:
        """Get a club as an operator."""
        return self.ask("GET", "/v1/admin/clubs/{club}", club)

    def rename_club(self, club: str, body: ClubRenameRequest, *, key: str | None = None) -> AdminClub:
        """Rename a club."""
        return self.ask("POST", "/v1/admin/clubs/{club}/rename", club, body=body, key=key or new_key())

    def clear_club(self, club: str, body: ReasonRequest, *, key: str | None = None) -> AdminClub:
        """Remove a club's description."""
        return self.ask("POST", "/v1/admin/clubs/{club}/clear", club, body=body, key=key or new_key())

    def admin_close_club(self, club: str, body: ReasonRequest, *, key: str | None = None) -> AdminClub:
        """Close a club."""
        return self.ask("POST", "/v1/admin/clubs/{club}/close", club, body=body, key=key or new_key())

    def get_collusion(
        self, *, sort: Literal["throws", "share", "meetings", "invites"] | None = None,
    ) -> Collusion:
        """List pairs of players who often play together."""
        return self.ask("GET", "/v1/admin/collusion", query={"sort": sort})

    def admin_get_record(self, game: str, *, hand: int | None = None) -> str:
        """Get the record of any finished game."""
        return self.ask("GET", "/v1/admin/games/{game}/record", game, query={"hand": hand}, text=True)

    def list_flags(self, *, cursor: str | None = None, limit: int | None = None) -> FlagPage:
        """List flagged orders, newest first."""
        return self.ask("GET", "/v1/admin/flags", query={"cursor": cursor, "limit": limit})

    def settle_flag(self, flag: str, body: NoteRequest, *, key: str | None = None) -> SettledFlag:
        """Mark a flag as reviewed."""
        return self.ask("POST", "/v1/admin/flags/{flag}/settle", flag, body=body, key=key or new_key())

    def find_players(
        self, *, q: str | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> AdminPlayerPage:
        """List players, newest first."""
        return self.ask("GET", "/v1/admin/players", query={"q": q, "cursor": cursor, "limit": limit})

    def search_players(self, body: AdminPlayerSearch) -> AdminPlayersFound:
        """Find the account with an email address."""
        return self.ask("POST", "/v1/admin/player-search", body=body)

    def admin_get_player(self, player: str) -> AdminPlayer:
        """Get a player with purses and notes."""
        return self.ask("GET", "/v1/admin/players/{player}", player)

    def ban_player(self, player: str, body: ReasonRequest, *, key: str | None = None) -> AdminPlayer:
        """Ban a player."""
        return self.ask("POST", "/v1/admin/players/{player}/ban", player, body=body, key=key or new_key())

    def unban_player(self, player: str, body: ReasonRequest, *, key: str | None = None) -> AdminPlayer:
        """Lift a ban."""
        return self.ask("POST", "/v1/admin/players/{player}/unban", player, body=body, key=key or new_key())

    def delete_player(self, player: str, body: ReasonRequest, *, key: str | None = None) -> AdminPlayer:
        """Delete an account at its owner's written request."""
        return self.ask(
            "POST", "/v1/admin/players/{player}/deletion", player, body=body, key=key or new_key(),
        )

    def cancel_player_deletion(
        self, player: str, body: ReasonRequest, *, key: str | None = None,
    ) -> AdminPlayer:
        """Cancel the pending deletion of an account."""
        return self.ask(
            "POST", "/v1/admin/players/{player}/deletion/undo", player, body=body, key=key or new_key(),
        )

    def end_players_sessions(
        self, player: str, body: ReasonRequest, *, key: str | None = None,
    ) -> AdminPlayer:
        """End all sessions of a player."""
        return self.ask(
            "POST", "/v1/admin/players/{player}/sessions/end", player, body=body, key=key or new_key(),
        )

    def switch_players_factor_off(
        self, player: str, body: ReasonRequest, *, key: str | None = None,
    ) -> AdminPlayer:
        """Switch off the second factor of a player."""
        return self.ask(
            "POST", "/v1/admin/players/{player}/factor/off", player, body=body, key=key or new_key(),
        )

    def mute_player_chat(self, player: str, body: MuteRequest, *, key: str | None = None) -> AdminPlayer:
        """Mute a player's chat for some hours."""
        return self.ask("POST", "/v1/admin/players/{player}/mute", player, body=body, key=key or new_key())

    def rename_player(self, player: str, body: RenameRequest, *, key: str | None = None) -> AdminPlayer:
        """Rename a player."""
        return self.ask("POST", "/v1/admin/players/{player}/rename", player, body=body, key=key or new_key())

    def separate_players(
        self, player: str, body: SeparationRequest, *, key: str | None = None,
    ) -> AdminPlayer:
        """Keep two players from sharing a table, or allow it again."""
        return self.ask(
            "POST", "/v1/admin/players/{player}/separations", player, body=body, key=key or new_key(),
        )

    def add_player_note(self, player: str, body: PlayerNoteRequest, *, key: str | None = None) -> AdminPlayer:
        """Write a note about a player."""
        return self.ask("POST", "/v1/admin/players/{player}/notes", player, body=body, key=key or new_key())

    def admin_list_rooms(self) -> AdminRoomList:
        """List all rooms with their settings."""
        return self.ask("GET", "/v1/admin/rooms")

    def open_room(self, body: RoomRequest, *, key: str | None = None) -> AdminRoom:
        """Open a room."""
        return self.ask("POST", "/v1/admin/rooms", body=body, key=key or new_key())

    def change_room(self, room: str, body: RoomChange) -> AdminRoom:
        """Change a room."""
        return self.ask("PATCH", "/v1/admin/rooms/{room}", room, body=body)

    def admin_list_packs(self) -> AdminPackList:
        """List all packs with their settings."""
        return self.ask("GET", "/v1/admin/packs")

    def change_pack(self, pack: str, body: PackChange) -> AdminPack:
        """Change a pack."""
        return self.ask("PATCH", "/v1/admin/packs/{pack}", pack, body=body)

    def admin_list_achievements(self) -> AdminAchievementList:
        """List all achievements with their settings."""
        return self.ask("GET", "/v1/admin/achievements")

    def change_achievement(self, achievement: str, body: AchievementChange) -> AdminAchievement:
        """Change an achievement."""
        return self.ask("PATCH", "/v1/admin/achievements/{achievement}", achievement, body=body)

    def admin_list_tables(
        self, *, cursor: str | None = None, limit: int | None = None, player: Id | None = None,
        state: Literal["waiting", "playing", "lost", "finished", "cancelled"] | None = None,
        variant: Literal["rummy51", "straight", "treff", "rummy40", "rami", "points", "pool101", "pool201",
        "deals2", "deals3"] | None = None, since: str | None = None, until: str | None = None,
    ) -> AdminTablePage:
        """List tables, newest first, by player, state, variant, and time."""
        return self.ask(
            "GET", "/v1/admin/tables", query={"cursor": cursor, "limit": limit, "player": player,
            "state": state, "variant": variant, "since": since, "until": until},
        )

    def admin_get_table(self, table: str) -> AdminTable:
        """Get a table with its seats and held stakes."""
        return self.ask("GET", "/v1/admin/tables/{table}", table)

    def cancel_table(self, table: str, body: ReasonRequest, *, key: str | None = None) -> AdminTable:
        """End a table with refunds."""
        return self.ask("POST", "/v1/admin/tables/{table}/cancel", table, body=body, key=key or new_key())

    def list_lost_tables(self, *, cursor: str | None = None, limit: int | None = None) -> AdminTablePage:
        """List lost tables."""
        return self.ask("GET", "/v1/admin/lost-tables", query={"cursor": cursor, "limit": limit})

    def list_lost_moves(
        self, table: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> LostMovePage:
        """Get the journal of a lost table."""
        return self.ask(
            "GET", "/v1/admin/tables/{table}/lost-moves", table, query={"cursor": cursor, "limit": limit},
        )

    def get_lost_record(self, table: str) -> str:
        """Get the records of a lost table."""
        return self.ask("GET", "/v1/admin/tables/{table}/lost-record", table, text=True)

    def prove_ledger(self) -> LedgerProof:
        """Check the ledger."""
        return self.ask("GET", "/v1/admin/ledger/proof")

    def list_webhooks(self) -> WebhookList:
        """List all webhooks."""
        return self.ask("GET", "/v1/admin/webhooks")

    def make_webhook(self, body: WebhookRequest, *, key: str | None = None) -> WebhookWithSecret:
        """Create a webhook."""
        return self.ask("POST", "/v1/admin/webhooks", body=body, key=key or new_key())

    def change_webhook(self, webhook: str, body: WebhookChange) -> Webhook:
        """Change a webhook."""
        return self.ask("PATCH", "/v1/admin/webhooks/{webhook}", webhook, body=body)

    def remove_webhook(self, webhook: str) -> None:
        """Remove a webhook."""
        self.ask("DELETE", "/v1/admin/webhooks/{webhook}", webhook)

    def renew_webhook_secret(
        self, webhook: str, body: Empty | None = None, *, key: str | None = None,
    ) -> WebhookWithSecret:
        """Replace the secret of a webhook."""
        return self.ask(
            "POST", "/v1/admin/webhooks/{webhook}/secret", webhook, body=body, key=key or new_key(),
        )

    def ping_webhook(self, webhook: str, body: Empty | None = None, *, key: str | None = None) -> Delivery:
        """Test a webhook."""
        return self.ask(
            "POST", "/v1/admin/webhooks/{webhook}/ping", webhook, body=body, key=key or new_key(),
        )

    def list_deliveries(
        self, webhook: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> DeliveryPage:
        """List the deliveries of a webhook."""
        return self.ask(
            "GET", "/v1/admin/webhooks/{webhook}/deliveries", webhook, query={"cursor": cursor,
            "limit": limit},
        )

    def redeliver(
        self, webhook: str, delivery: str, body: Empty | None = None, *, key: str | None = None,
    ) -> Delivery:
        """Send a delivery again."""
        return self.ask(
            "POST", "/v1/admin/webhooks/{webhook}/deliveries/{delivery}/redeliver", webhook, delivery,
            body=body, key=key or new_key(),
        )

    def get_leaderboard(
        self, variant: str, board: str, period: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> BoardPage:
        """Get a page of a leaderboard."""
        return self.ask(
            "GET", "/v1/leaderboards/{variant}/{board}/{period}", variant, board, period,
            query={"cursor": cursor, "limit": limit},
        )

    def get_leaderboard_around(self, variant: str, board: str, period: str) -> BoardAround:
        """Get the players ranked around the player."""
        return self.ask("GET", "/v1/leaderboards/{variant}/{board}/{period}/around", variant, board, period)

    def get_leaderboard_friends(
        self, variant: str, board: str, period: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> BoardPage:
        """Get the player and their friends on a leaderboard."""
        return self.ask(
            "GET", "/v1/leaderboards/{variant}/{board}/{period}/friends", variant, board, period,
            query={"cursor": cursor, "limit": limit},
        )

    def find_by_nickname(self, *, nickname: str) -> PlayersFound:
        """Find players by the beginning of their nickname."""
        return self.ask("GET", "/v1/players", query={"nickname": nickname})

    def get_player(self, player: str) -> Player:
        """Get the public profile of a player."""
        return self.ask("GET", "/v1/players/{player}", player)

    def get_player_variant(self, player: str, variant: str) -> PlayerVariant:
        """Get a player's results in one variant."""
        return self.ask("GET", "/v1/players/{player}/variants/{variant}", player, variant)

    def list_quests(self) -> QuestList:
        """List this week's quests with the player's progress."""
        return self.ask("GET", "/v1/me/quests")

    def get_week(self, week: str) -> Week:
        """Get the player's week, compared with their friends."""
        return self.ask("GET", "/v1/me/weeks/{week}", week)

    def list_achievements(self) -> AchievementList:
        """List all achievements with the player's progress."""
        return self.ask("GET", "/v1/me/achievements")

    def list_friends(self, *, cursor: str | None = None, limit: int | None = None) -> FriendList:
        """List friends and friend requests."""
        return self.ask("GET", "/v1/friends", query={"cursor": cursor, "limit": limit})

    def befriend(self, player: str) -> FriendState:
        """Send or accept a friend request."""
        return self.ask("PUT", "/v1/friends/{player}", player)

    def unfriend(self, player: str) -> None:
        """Remove a friend, withdraw a request, or decline one."""
        self.ask("DELETE", "/v1/friends/{player}", player)

    def invite_friend(self, player: str, table: str) -> None:
        """Invite a friend to a private table."""
        self.ask("PUT", "/v1/friends/{player}/tables/{table}", player, table)

    def list_invites(self) -> InviteList:
        """Get the player's invitation code and invited players."""
        return self.ask("GET", "/v1/invites")

    def make_invite_code(self) -> InviteList:
        """Create the player's invitation code."""
        return self.ask("POST", "/v1/invites")

    def get_invite_link(self, invite: str) -> InviteLink:
        """Get the inviter behind a code."""
        return self.ask("GET", "/v1/invites/{invite}", invite)

    def accept_invitation(self, body: AcceptInvite, *, key: str | None = None) -> InviteAccepted:
        """Name the player who invited this new account."""
        return self.ask("PUT", "/v1/me/invitation", body=body, key=key or new_key())

    def list_clubs(
        self, *, q: str | None = None, cursor: str | None = None, limit: int | None = None,
    ) -> ClubPage:
        """List clubs, newest first."""
        return self.ask("GET", "/v1/clubs", query={"q": q, "cursor": cursor, "limit": limit})

    def create_club(self, body: ClubRequest, *, key: str | None = None) -> Club:
        """Create a club."""
        return self.ask("POST", "/v1/clubs", body=body, key=key or new_key())

    def list_my_clubs(self) -> ClubList:
        """List the player's clubs and pending requests."""
        return self.ask("GET", "/v1/me/clubs")

    def get_club(self, club: str) -> Club:
        """Get a club."""
        return self.ask("GET", "/v1/clubs/{club}", club)

    def change_club(self, club: str, body: ClubChange) -> Club:
        """Change or transfer a club."""
        return self.ask("PATCH", "/v1/clubs/{club}", club, body=body)

    def close_club(self, club: str) -> None:
        """Close a club."""
        self.ask("DELETE", "/v1/clubs/{club}", club)

    def list_club_members(
        self, club: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> ClubMemberPage:
        """List the members of a club."""
        return self.ask("GET", "/v1/clubs/{club}/members", club, query={"cursor": cursor, "limit": limit})

    def join_club(self, club: str, player: str) -> ClubRole:
        """Join a club, ask to join, or accept a request."""
        return self.ask("PUT", "/v1/clubs/{club}/members/{player}", club, player)

    def leave_club(self, club: str, player: str) -> None:
        """Leave a club, withdraw a request, or remove a member."""
        self.ask("DELETE", "/v1/clubs/{club}/members/{player}", club, player)

    def list_club_tables(
        self, club: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> ClubTablePage:
        """List a club's tables, newest first."""
        return self.ask("GET", "/v1/clubs/{club}/tables", club, query={"cursor": cursor, "limit": limit})

    def get_club_leaderboard(
        self, club: str, variant: str, board: str, period: str, *, cursor: str | None = None,
        limit: int | None = None,
    ) -> BoardPage:
        """Get a leaderboard of a club's members."""
        return self.ask(
            "GET", "/v1/clubs/{club}/leaderboards/{variant}/{board}/{period}", club, variant, board, period,
            query={"cursor": cursor, "limit": limit},
        )

    def report_club(self, club: str, body: ClubReportRequest) -> dict[str, Any]:
        """Report a club."""
        return self.ask("POST", "/v1/clubs/{club}/reports", club, body=body)

    def list_club_chat(
        self, club: str, *, cursor: str | None = None, limit: int | None = None,
    ) -> ClubMessagePage:
        """List messages in the club chat, latest first."""
        return self.ask("GET", "/v1/clubs/{club}/chat", club, query={"cursor": cursor, "limit": limit})

    def send_club_message(
        self, club: str, body: ClubMessageRequest, *, key: str | None = None,
    ) -> ClubMessage:
        """Post a message in the club chat."""
        return self.ask("POST", "/v1/clubs/{club}/chat", club, body=body, key=key or new_key())

    def delete_club_message(self, club: str, message: str) -> None:
        """Delete a message in the club chat."""
        self.ask("DELETE", "/v1/clubs/{club}/chat/{message}", club, message)

    def report_club_message(self, club: str, message: str, body: ClubMessageReportRequest) -> dict[str, Any]:
        """Report a message in the club chat."""
        return self.ask("POST", "/v1/clubs/{club}/chat/{message}/reports", club, message, body=body)

    def list_notifications(self, *, cursor: str | None = None, limit: int | None = None) -> NotificationPage:
        """List the player's notifications, newest first."""
        return self.ask("GET", "/v1/notifications", query={"cursor": cursor, "limit": limit})

    def read_notifications(self, body: ReadNotifications) -> Unread:
        """Mark notifications as read, up to a given one."""
        return self.ask("PUT", "/v1/notifications/read-mark", body=body)
