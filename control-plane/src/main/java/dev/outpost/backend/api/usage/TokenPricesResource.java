package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.model.usage.TokenPrice;
import dev.outpost.backend.store.usage.TokenRows;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.TokenPriceRequest;
import dev.outpost.rest.usage.TokenPrices;
import dev.outpost.rest.usage.TokenPrices.TokenPriceView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.math.BigDecimal;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The prices of texts by the name of the model, each valid from a date on. Past charges are never changed. */
@Path("/v1/token-prices")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "prices")
public class TokenPricesResource extends ApiResource {
    private static final BigDecimal MOST = BigDecimal.valueOf(Bounds.PRICE);
    /** The maximum number of decimals of a price for a million tokens, so that a token costs whole billionths. */
    private static final int TOKEN_DIGITS = 3;

    private final Money money;

    TokenPricesResource(Money money) {
        this.money = money;
    }

    private TokenPriceView view(TokenPrice price) {
        return new TokenPriceView(
                price.model(),
                price.from(),
                price.prompt(),
                price.cached(),
                price.generated(),
                price.second(),
                perMillion(price.prompt()),
                perMillion(price.cached()),
                perMillion(price.generated()),
                Money.of(price.second()),
                money.currency());
    }

    private static BigDecimal perMillion(long nanosOfAToken) {
        return Money.plain(BigDecimal.valueOf(nanosOfAToken, TOKEN_DIGITS));
    }

    @GET
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "All prices of tokens, by model and date; the latest whose date has come holds")
    public TokenPrices list() {
        return new TokenPrices(
                transact(TokenRows::prices).stream().map(this::view).toList());
    }

    @PUT
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Sets what texts of a model cost from a date on")
    public TokenPriceView put(TokenPriceRequest request) {
        TokenPriceRequest body = Inputs.required(request);
        if (body.model() == null || body.model().isBlank() || body.model().length() > Bounds.MODEL) {
            throw Problem.invalid("model: expected a name of 1 to " + Bounds.MODEL + " characters");
        }
        return act("token-price.set", body.model(), "", sql -> {
            Instant from = Window.begin(body.from(), sql.now());
            TokenPrice price = new TokenPrice(
                    body.model(),
                    from,
                    nanos("perMillionPrompt", body.perMillionPrompt(), TOKEN_DIGITS),
                    nanos("perMillionCached", body.perMillionCached(), TOKEN_DIGITS),
                    nanos("perMillionNew", body.perMillionNew(), TOKEN_DIGITS),
                    nanos("perSecond", body.perSecond(), Price.DIGITS));
            TokenRows.set(sql, price);
            return view(price);
        });
    }

    private static long nanos(String name, BigDecimal amount, int digits) {
        return amount == null
                ? 0
                : Money.checked(name, amount, MOST, digits)
                        .movePointRight(digits)
                        .longValueExact();
    }

    @DELETE
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes prices of a model that do not hold yet")
    public Response remove(@QueryParam("model") String model, @QueryParam("from") String from) {
        ResourceNames.text("model", model);
        return remove("token-price.remove", model, "", sql -> {
            Instant begin = Window.removable(from, sql.now());
            requireFound(TokenRows.removePrice(sql, model, begin), "token price", model + " from " + begin);
        });
    }
}
