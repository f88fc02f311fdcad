package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.Acts;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Needs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.TokenPrice;
import dev.outpost.backend.store.KeyRows.Scope;
import dev.outpost.backend.store.TokenRows;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What texts of models cost, by the model's name and from a date on. What has been charged is never changed. */
@Path("/v1/token-prices")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "prices")
public class TokenPricesResource {
    private static final BigDecimal MOST = BigDecimal.valueOf(Bounds.PRICE);
    private static final int LONGEST_NAME = Bounds.MODEL;
    /** Nano-units of a token in a unit of a million tokens. */
    private static final BigDecimal NANOS_PER_TOKEN = BigDecimal.valueOf(1_000);

    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

    private final Acts acts;

    TokenPricesResource(Acts acts) {
        this.acts = acts;
    }

    /**
     * What is set, in units of the currency; absent amounts are 0.
     *
     * @param perMillionPrompt for a million tokens of prompts that are computed
     * @param perMillionCached for a million tokens of prompts that had been computed before
     * @param perMillionNew for a million new tokens
     * @param perSecond for a second in which a text is under way
     * @param from a time that is not past; now where it is absent
     */
    public record TokenPriceRequest(
            String model,
            BigDecimal perMillionPrompt,
            BigDecimal perMillionCached,
            BigDecimal perMillionNew,
            BigDecimal perSecond,
            Instant from) {}

    /** A price as it holds: whole nano-units of a token, and of a second. */
    public record TokenPriceView(
            String model, Instant from, long promptNanos, long cachedNanos, long newNanos, long nanosPerSecond) {
        static TokenPriceView of(TokenPrice price) {
            return new TokenPriceView(
                    price.model(), price.from(), price.prompt(), price.cached(), price.generated(), price.second());
        }
    }

    /** All of them. */
    public record TokenPrices(List<TokenPriceView> items) {}

    @GET
    @Consumes(MediaType.WILDCARD)
    @Needs(Scope.READ)
    @Operation(summary = "All prices of tokens, by model and date; the latest whose date has come holds")
    public TokenPrices list() {
        return new TokenPrices(
                acts.read(TokenRows::prices).stream().map(TokenPriceView::of).toList());
    }

    @PUT
    @Needs(Scope.OPERATOR)
    @Operation(summary = "Sets what texts of a model cost from a date on")
    public TokenPriceView put(TokenPriceRequest request) {
        TokenPriceRequest body = Inputs.required(request);
        if (body.model() == null || body.model().isBlank() || body.model().length() > LONGEST_NAME) {
            throw Problem.invalid("model: expected a name of 1 to " + LONGEST_NAME + " characters");
        }
        return acts.act("token-price.set", body.model(), "", sql -> {
            Instant now = sql.now();
            Instant from = Optional.ofNullable(body.from()).orElse(now).truncatedTo(ChronoUnit.SECONDS);
            if (from.isBefore(now.minus(CLOCK_DIFFERENCE))) {
                throw Problem.invalid(
                        "from: expected a time that is not past, got " + from + "; what was charged is not changed");
            }
            TokenPrice price = new TokenPrice(
                    body.model(),
                    from,
                    nanos("perMillionPrompt", body.perMillionPrompt(), NANOS_PER_TOKEN),
                    nanos("perMillionCached", body.perMillionCached(), NANOS_PER_TOKEN),
                    nanos("perMillionNew", body.perMillionNew(), NANOS_PER_TOKEN),
                    nanos("perSecond", body.perSecond(), NANOS));
            TokenRows.set(sql, price);
            return TokenPriceView.of(price);
        });
    }

    private static long nanos(String name, BigDecimal amount, BigDecimal nanosOfAUnit) {
        if (amount == null) {
            return 0;
        }
        if (amount.signum() < 0 || amount.compareTo(MOST) > 0) {
            throw Problem.invalid(name + ": expected 0 to " + MOST + ", got " + amount);
        }
        return amount.multiply(nanosOfAUnit).setScale(0, RoundingMode.HALF_UP).longValueExact();
    }
}
