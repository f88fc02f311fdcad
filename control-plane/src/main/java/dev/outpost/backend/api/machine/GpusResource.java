package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Money;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.model.usage.Prices;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.UsageRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.ClusterState;
import dev.outpost.rest.machine.GpuView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The GPUs that can be requested. */
@Path("/v1/gpus")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "gpus")
public class GpusResource extends ApiResource {
    private final GpuCatalogue catalogue;

    GpusResource(GpuCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "The kinds of GPU, where they are, and what they cost now")
    public Page<GpuView> list(@BeanParam PageRequest request) {
        List<GpuType> rest = after(request.position());
        Function<GpuType, GpuView> view = transact(GpusResource::view);
        return request.of(rest, view, GpuType::name);
    }

    /** Returns the types after a name, in the order of the catalogue. */
    private List<GpuType> after(Optional<String> name) {
        List<GpuType> all = Stream.concat(catalogue.types().stream(), Stream.of(GpuType.ANY))
                .toList();
        if (name.isEmpty()) {
            return all;
        }
        int place = all.stream().map(GpuType::name).toList().indexOf(name.get());
        if (place < 0) {
            throw PageRequest.badCursor();
        }
        return all.subList(place + 1, all.size());
    }

    private static Function<GpuType, GpuView> view(Sql sql) {
        List<ClusterRows.Stored> active = ClusterRows.all(sql).stream()
                .filter(cluster -> cluster.state() == ClusterState.ACTIVE)
                .toList();
        Prices prices = UsageRows.allPrices(sql);
        Instant now = sql.now();
        return type -> new GpuView(
                type.name(),
                type.marketingName(),
                type.memoryVariants(),
                active.stream()
                        .filter(cluster -> cluster.has(type.name()))
                        .map(ClusterRows.Stored::name)
                        .toList(),
                prices.rate(type.name(), now),
                Money.plain(prices.dearestPerHour(List.of(type.name()), now)));
    }
}
