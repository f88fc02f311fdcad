package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.Pools;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.PoolStateMachine;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.PoolRequest;
import dev.outpost.rest.cluster.PoolView;
import dev.outpost.rest.cluster.PoolView.PoolMemberView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Pools of machines that are started before a request needs them. */
@Path("/v1/pools")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "pools")
public class PoolsResource extends ApiResource {
    private static final String NAME = "{name: [^/:]+}";
    private static final Duration STANDARD_IDLE = Duration.ofMinutes(10);
    private static final Duration STANDARD_LEASE = Duration.ofMinutes(1);

    private final GpuCatalogue catalogue;
    private final Pools pools;
    private final Wakeups wakeups;

    PoolsResource(GpuCatalogue catalogue, Pools pools, Wakeups wakeups) {
        this.catalogue = catalogue;
        this.pools = pools;
        this.wakeups = wakeups;
    }

    private static PoolView view(Sql sql, Pool row) {
        return new PoolView(
                row.name(),
                row.version(),
                row.gpu(),
                row.min(),
                row.max(),
                row.idle(),
                row.lease(),
                row.isPaused(),
                row.failures(),
                row.retryAt().orElse(null),
                row.text(),
                PoolRows.members(sql, row.name()).stream()
                        .map(PoolsResource::view)
                        .toList());
    }

    private static PoolMemberView view(PoolStateMachine.Member member) {
        return new PoolMemberView(member.id(), member.phase(), member.since());
    }

    @GET
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Pools, by name")
    public Page<PoolView> list(@BeanParam PageRequest request) {
        return transact(sql ->
                request.of(PoolRows.page(sql, request.name(), request.rows()), row -> view(sql, row), Pool::name));
    }

    @GET
    @Path(NAME)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "One pool, and the machines that wait in it")
    public Response get(@PathParam("name") String name) {
        return transact(sql ->
                tagged(Response.ok(), sql, PoolRows.find(sql, name).orElseThrow(() -> Problem.notFound("pool", name))));
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Makes a pool, or changes it",
            description = "If-Match says which version is changed, If-None-Match: * that there is none yet.")
    public Response put(@PathParam("name") String name, PoolRequest request, @BeanParam Preconditions match) {
        PoolRequest body = Inputs.required(request);
        ResourceNames.slug("name", name);
        Response response = act("pool.set", name, "min " + body.min() + ", max " + body.max(), sql -> {
            Optional<Pool> there = PoolRows.lock(sql, name);
            long version = there.map(Pool::version).orElse(0L);
            match.require(version, "pool", name);
            Instant now = sql.now();
            Pool row = pool(name, version + 1, body, now, there.isPresent() ? "it was changed" : "it is new");
            there.filter(old -> !old.isAlike(row)).ifPresent(old -> pools.endMembers(sql, old));
            if (there.isPresent()) {
                PoolRows.update(sql, row, now);
            } else {
                requireWritten(PoolRows.insert(sql, row, now), "pool", name);
            }
            return tagged(Response.status(there.isPresent() ? 200 : 201), sql, row);
        });
        wakeups.pools();
        return response;
    }

    private Pool pool(String name, long version, PoolRequest body, Instant now, String text) {
        int min = body.min() == null ? 0 : body.min();
        try {
            return new Pool(
                    name,
                    version,
                    catalogue.find(body.gpu() == null ? "any" : body.gpu()).name(),
                    min,
                    body.max() == null ? Math.max(1, min) : body.max(),
                    body.idle() == null ? STANDARD_IDLE : body.idle(),
                    body.lease() == null ? STANDARD_LEASE : body.lease(),
                    Boolean.TRUE.equals(body.paused()),
                    0,
                    Optional.empty(),
                    now,
                    text);
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }

    @DELETE
    @Path(NAME)
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Removes a pool, and ends the machines that wait in it",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        Response response = remove("pool.remove", name, "", sql -> {
            Pool pool = PoolRows.lock(sql, name).orElseThrow(() -> Problem.notFound("pool", name));
            match.require(pool.version(), "pool", name);
            pools.endMembers(sql, pool);
            PoolRows.delete(sql, name);
        });
        wakeups.all();
        return response;
    }

    private static Response tagged(Response.ResponseBuilder response, Sql sql, Pool row) {
        return tagged(response, view(sql, row), row.version());
    }
}
