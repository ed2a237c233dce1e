/* A client that openapi-generator builds from openapi.yaml: a guest signs in, takes a seat, reads the purse,
 * and gets an error. test_kotlin.py compiles it with the generated code and runs it with the address of a
 * server. */
import java.util.UUID
import rummyd.apis.AuthApi
import rummyd.apis.TablesApi
import rummyd.apis.WalletApi
import rummyd.infrastructure.ApiClient
import rummyd.infrastructure.ClientError
import rummyd.infrastructure.ClientException
import rummyd.infrastructure.Serializer.gson
import rummyd.models.GuestRequest
import rummyd.models.Problem
import rummyd.models.Seat
import rummyd.models.TableOptions
import rummyd.models.TableRequest

fun main(args: Array<String>) {
    val session = AuthApi(args[0]).enterAsGuest(GuestRequest())
    ApiClient.accessToken = session.accessToken
    val tables = TablesApi(args[0])

    fun table(target: Int): Seat {
        val options = TableOptions(target = target, ace = TableOptions.Ace.high)
        val request = TableRequest("straight", 2, options, bots = 1, botLevel = TableRequest.BotLevel.easy)
        return tables.openTable(UUID.randomUUID().toString(), request)
    }

    fun refusal(call: () -> Unit): Problem {
        try {
            call()
        } catch (e: ClientException) {
            return gson.fromJson((e.response as ClientError<*>).body as String, Problem::class.java)
        }
        throw IllegalStateException("not refused")
    }

    val variants = tables.listVariants().items
    val seat = table(100)
    val wallet = WalletApi(args[0]).getWallet()
    val problem = refusal { table(9) }
    val fault = problem.errors!!.first()
    println(gson.toJson(mapOf(
        "player" to session.player, "variants" to variants.size, "seat" to seat, "wallet" to wallet,
        "refused" to listOf(problem.code, fault.code, fault.pointer),
    )))
}
