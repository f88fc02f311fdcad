package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.model.usage.Price;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.PriceRequest;
import dev.outpost.rest.usage.PriceView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
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
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The prices of kinds of GPU, each valid from a date on. Past charges are never changed. */
@Path("/v1/prices")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "prices")
public class PricesResource extends ApiResource {
    private static final BigDecimal MOST = BigDecimal.valueOf(Bounds.PRICE);

    private final GpuCatalogue catalogue;
    private final Money money;

    PricesResource(GpuCatalogue catalogue, Money money) {
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
    public Page<PriceView> list(@BeanParam PageRequest request) {
        Position after = position(request).orElse(Position.START);
        return page(
                request,
                sql -> UsageRows.prices(sql, after.gpu(), after.from(), request.rows()),
                this::view,
                row -> row.gpu() + " " + row.from());
    }

    private record Position(String gpu, Instant from) {
        private static final Position START = new Position("", Instant.EPOCH);
    }

    private static Optional<Position> position(PageRequest request) {
        return request.position(2, parts -> new Position(parts[0], Inputs.time("cursor", Instant.parse(parts[1]))));
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
        return act("price.set", gpu, perHour.toPlainString() + " an hour", sql -> {
            Instant from = Window.begin(body.from(), sql.now());
            Price price = Price.perHour(gpu, from, perHour);
            UsageRows.set(sql, price);
            return view(price);
        });
    }

    @DELETE
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Removes a price that does not hold yet")
    public Response remove(@QueryParam("gpu") String gpu, @QueryParam("from") String from) {
        String kind = catalogue.find(ResourceNames.text("gpu", gpu)).name();
        return remove("price.remove", kind, "", sql -> {
            Instant begin = Window.removable(from, sql.now());
            requireFound(UsageRows.removePrice(sql, kind, begin), "price", kind + " from " + begin);
        });
    }
}
