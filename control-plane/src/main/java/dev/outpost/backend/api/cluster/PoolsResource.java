package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.AuditedTransaction;
import dev.outpost.backend.api.ETags;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Paging;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.Pools;
import dev.outpost.backend.fleet.Wakeups;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.PoolStateMachine;
import dev.outpost.backend.store.PoolRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.PoolRequest;
import dev.outpost.rest.cluster.PoolView;
import dev.outpost.rest.cluster.PoolView.PoolMemberView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Pools of machines that start before a request asks for one. */
@Path("/v1/pools")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "pools")
public class PoolsResource {
    private static final String NAME = "{name: [^/:]+}";
    private static final Duration STANDARD_IDLE = Duration.ofMinutes(10);
    private static final Duration STANDARD_LEASE = Duration.ofMinutes(1);

    private final AuditedTransaction audited;
    private final GpuCatalogue catalogue;
    private final Pools pools;
    private final Wakeups wakeups;

    PoolsResource(AuditedTransaction audited, GpuCatalogue catalogue, Pools pools, Wakeups wakeups) {
        this.audited = audited;
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
    public Page<PoolView> list(@QueryParam("cursor") Optional<String> cursor, @QueryParam("limit") Integer limit) {
        int size = Paging.limit(limit);
        String after = Paging.after(cursor);
        return audited.read(
                sql -> Paging.of(PoolRows.page(sql, after, size + 1), size, row -> view(sql, row), Pool::name));
    }

    @GET
    @Path(NAME)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "One pool, and the machines that wait in it")
    public Response get(@PathParam("name") String name) {
        return audited.read(sql ->
                tagged(Response.ok(), sql, PoolRows.find(sql, name).orElseThrow(() -> Problem.notFound("pool", name))));
    }

    @PUT
    @Path(NAME)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Makes a pool, or changes it",
            description = "If-Match says which version is changed, If-None-Match: * that there is none yet.")
    public Response put(
            @PathParam("name") String name,
            PoolRequest request,
            @HeaderParam("If-Match") String ifMatch,
            @HeaderParam("If-None-Match") String ifNoneMatch) {
        PoolRequest body = Inputs.required(request);
        ResourceNames.slug("name", name);
        Optional<Long> version = ETags.expected(ifMatch, ifNoneMatch);
        Response response = audited.act("pool.set", name, "min " + body.min() + ", max " + body.max(), sql -> {
            Optional<Pool> there = PoolRows.lock(sql, name);
            ETags.require(version, there.map(Pool::version).orElse(0L), "pool", name);
            Instant now = sql.now();
            String text = there.isPresent() ? "it was changed" : "it is new";
            Pool row = pool(name, there.map(Pool::version).orElse(0L) + 1, body, now, text);
            there.filter(old -> !old.isAlike(row)).ifPresent(old -> pools.endMembers(sql, old));
            if (there.isPresent()) {
                PoolRows.update(sql, row, now);
            } else if (!PoolRows.insert(sql, row, now)) {
                throw Problem.changedSince("pool", name);
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
    @Operation(summary = "Removes a pool, and ends the machines that wait in it")
    public Response remove(@PathParam("name") String name) {
        audited.act("pool.remove", name, "", sql -> {
            pools.endMembers(sql, PoolRows.lock(sql, name).orElseThrow(() -> Problem.notFound("pool", name)));
            PoolRows.delete(sql, name);
            return null;
        });
        wakeups.all();
        return Response.noContent().build();
    }

    private static Response tagged(Response.ResponseBuilder response, Sql sql, Pool row) {
        return ETags.tagged(response, view(sql, row), row.version());
    }
}
