package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.Paging;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.model.Price;
import dev.outpost.backend.store.UsageRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.PriceView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The prices of GPUs, by kind and from a date on. Past charges are never changed. */
@Path("/v1/prices")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "prices")
public class PricesResource {
    private static final BigDecimal MOST = BigDecimal.valueOf(Bounds.PRICE);
    private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(1);

    private final AuditedTransaction audited;
    private final GpuCatalogue catalogue;
    private final Money money;

    PricesResource(AuditedTransaction audited, GpuCatalogue catalogue, Money money) {
        this.audited = audited;
        this.money = money;
        this.catalogue = catalogue;
    }

    private PriceView view(Price price) {
        return new PriceView(
                price.gpu(), price.from(), price.nanosPerSecond(), Money.plain(price.perHour()), money.currency());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "All prices, by kind and date; the latest whose date has come holds")
    public Page<PriceView> list(@QueryParam("cursor") Optional<String> cursor, @QueryParam("limit") Integer limit) {
        Position after = cursor.map(PricesResource::position).orElse(Position.START);
        return audited.page(
                limit,
                (sql, size) -> UsageRows.prices(sql, after.gpu(), after.from(), size),
                this::view,
                row -> row.gpu() + " " + row.from());
    }

    private record Position(String gpu, Instant from) {
        private static final Position START = new Position("", Instant.EPOCH);
    }

    private static Position position(String cursor) {
        return Paging.position(
                cursor, 2, parts -> new Position(parts[0], Inputs.time("cursor", Instant.parse(parts[1]))));
    }

    @PUT
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Sets what a kind of GPU costs from a date on")
    public PriceView put(PriceRequest request) {
        PriceRequest body = Inputs.required(request);
        if (body.gpu() == null) {
            throw Problem.invalid("gpu: expected a name of the catalogue, got nothing");
        }
        BigDecimal perHour = Money.checked("perHour", body.perHour(), MOST, Price.DIGITS);
        String gpu = catalogue.find(body.gpu()).name();
        return audited.act("price.set", gpu, perHour.toPlainString() + " an hour", sql -> {
            Instant now = sql.now();
            Instant from = Optional.ofNullable(body.from()).orElse(now).truncatedTo(ChronoUnit.SECONDS);
            if (from.isBefore(now.minus(CLOCK_DIFFERENCE))) {
                throw Problem.invalid(
                        "from: expected a time that is not past, got " + from + "; what was charged is not changed");
            }
            Price price = Price.perHour(gpu, from, perHour);
            UsageRows.set(sql, price);
            return view(price);
        });
    }
}
