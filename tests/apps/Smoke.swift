/* A client that openapi-generator builds from openapi.yaml: a guest signs in, takes a seat, reads the purse,
 * and gets an error. test_swift.py compiles it with the generated code and runs it with the address of a
 * server. */
import Foundation

struct Seen: Encodable {
    let player: Me
    let variants: Int
    let seat: Seat
    let wallet: Wallet
    let refused: [String]
}

struct NotRefused: Error {}

@main
struct Smoke {
    static func table(_ target: Int) async throws -> Seat {
        let options = TableOptions(ace: .high, target: target)
        let request = TableRequest(variant: "straight", seats: 2, options: options, bots: 1, botLevel: .easy)
        return try await TablesAPI.openTable(idempotencyKey: UUID().uuidString, tableRequest: request)
    }

    static func refusal() async throws -> Problem {
        do {
            _ = try await table(9)
        } catch let ErrorResponse.error(_, body, _, _) {
            return try JSONDecoder().decode(Problem.self, from: body ?? Data())
        }
        throw NotRefused()
    }

    static func main() async throws {
        let configuration = RummydAPIConfiguration.shared
        configuration.basePath = CommandLine.arguments[1]
        let session = try await AuthAPI.enterAsGuest(guestRequest: GuestRequest())
        configuration.customHeaders["Authorization"] = "Bearer \(session.accessToken)"

        let variants = try await TablesAPI.listVariants().items
        let seat = try await table(100)
        let wallet = try await WalletAPI.getWallet()
        let problem = try await refusal()
        let fault = problem.errors![0]
        let seen = Seen(
            player: session.player, variants: variants.count, seat: seat, wallet: wallet,
            refused: [problem.code, fault.code, fault.pointer!])
        print(String(decoding: try JSONEncoder().encode(seen), as: UTF8.self))
    }
}
