package dev.outpost.backend.api.cluster;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.api.machine.Endpoints;
import dev.outpost.backend.fleet.cluster.Suppliers;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.WorkerRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.worker.WorkerFleets;
import dev.outpost.backend.worker.WorkerSecret;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.cluster.ClusterRequest;
import dev.outpost.rest.cluster.ClusterView;
import dev.outpost.rest.cluster.WorkerCode;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Clusters and worker hosts, on which machines run. */
@Path("/v1/clusters")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "clusters")
public class ClustersResource extends ApiResource {
    private static final Duration CODE_LIFE = Duration.ofHours(1);

    private final SecureRandom random = new SecureRandom();
    private final Suppliers suppliers;
    private final GpuCatalogue catalogue;
    private final Wakeups wakeups;
    private final Endpoints endpoints;

    ClustersResource(Suppliers suppliers, GpuCatalogue catalogue, Wakeups wakeups, Endpoints endpoints) {
        this.suppliers = suppliers;
        this.catalogue = catalogue;
        this.wakeups = wakeups;
        this.endpoints = endpoints;
    }

    private static ClusterView view(ClusterRows.Stored row, Map<String, Integer> counts) {
        return new ClusterView(
                row.name(),
                row.provider(),
                row.state(),
                row.gpus(),
                row.machines().isPresent() ? row.machines().getAsInt() : null,
                counts.getOrDefault(row.name(), 0),
                row.options().keySet().stream().sorted().toList(),
                row.relay().orElse(null),
                row.observed().orElse(null),
                row.trouble().or(() -> silence(row)).orElse(null),
                row.isAway() ? true : null,
                row.worker().orElse(null),
                row.version());
    }

    /** Returns why a worker host is away. */
    private static Optional<String> silence(ClusterRows.Stored row) {
        if (!row.isAway()) {
            return Optional.empty();
        }
        return Optional.of(
                row.worker().isPresent()
                        ? "its host does not report; start ./outpost worker there"
                        : "no host has reported; pair one by ./outpost clusters pair " + row.name());
    }

    @GET
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "Clusters by name, what they have room for, and how looking at them went")
    public Page<ClusterView> list(@BeanParam PageRequest request) {
        return transact(sql -> {
            Map<String, Integer> counts = ClusterRows.counts(sql);
            return request.of(
                    ClusterRows.page(sql, request.name(), request.rows()),
                    row -> view(row, counts),
                    ClusterRows.Stored::name);
        });
    }

    @GET
    @Path("{name}")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(summary = "One cluster")
    public Response get(@PathParam("name") String name) {
        return tagged(transact(sql -> view(find(sql, name), ClusterRows.counts(sql))));
    }

    @PUT
    @Path("{name}")
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Adds a cluster, or changes it: ACTIVE, CORDONED (no new machines), DRAINING (its machines end)")
    public Response put(@PathParam("name") String name, ClusterRequest request, @BeanParam Preconditions match) {
        ResourceNames.slug("name", name);
        ClusterRequest body = Inputs.required(request);
        ClusterView view = act("cluster.set", name, "state " + body.state(), sql -> {
            ClusterRows.Stored next = ClusterRows.find(sql, name)
                    .map(there -> changed(there, body))
                    .orElseGet(() -> added(name, body));
            suppliers.check(next);
            boolean isDone = ClusterRows.find(sql, name).isEmpty()
                    ? match.version().filter(known -> known != 0).isEmpty() && ClusterRows.add(sql, next)
                    : match.version().filter(known -> known != next.version()).isEmpty()
                            && ClusterRows.update(sql, next);
            requireWritten(isDone, "cluster", name);
            return view(find(sql, name), ClusterRows.counts(sql));
        });
        wakeups.all();
        return tagged(view);
    }

    private ClusterRows.Stored added(String name, ClusterRequest body) {
        if (body.provider() == null) {
            throw Problem.invalid("provider: expected the name of a provider, such as process or k8s, got nothing");
        }
        ClusterRows.Stored made = ClusterRows.Stored.active(
                        name,
                        body.provider(),
                        gpus(Optional.ofNullable(body.gpus()).orElse(List.of())),
                        room(body.machines()),
                        options(body.options()).orElse(Map.of()))
                .withRelay(relay(body));
        return body.state() == null ? made : made.withState(body.state());
    }

    /** Returns the cluster with the given settings; absent settings keep their values. */
    private ClusterRows.Stored changed(ClusterRows.Stored there, ClusterRequest body) {
        if (body.provider() != null && !body.provider().equals(there.provider())) {
            throw Problem.of(
                    Problem.Code.CONFLICT,
                    "cluster " + there.name() + ": its provider is " + there.provider()
                            + " for good; add another cluster");
        }
        return new ClusterRows.Stored(
                there.name(),
                there.provider(),
                Optional.ofNullable(body.state()).orElse(there.state()),
                body.gpus() == null ? there.gpus() : gpus(body.gpus()),
                body.machines() == null ? there.machines() : room(body.machines()),
                options(body.options()).orElse(there.options()),
                body.relay() == null ? there.relay() : relay(body),
                there.version(),
                there.observed(),
                there.trouble(),
                there.isAway(),
                there.worker());
    }

    private List<String> gpus(List<String> names) {
        return Inputs.few("gpus", names, Bounds.CLUSTER_KINDS).stream()
                .map(name -> catalogue.find(name).name())
                .toList();
    }

    private static Optional<Map<String, String>> options(Map<String, String> options) {
        if (options != null && (options.size() > Bounds.CLUSTER_OPTIONS || options.containsValue(null))) {
            throw Problem.invalid("options: expected up to " + Bounds.CLUSTER_OPTIONS
                    + " settings with a text each, got " + options.size());
        }
        return Optional.ofNullable(options);
    }

    private Optional<String> relay(ClusterRequest body) {
        return Optional.ofNullable(body.relay()).filter(text -> !text.isBlank()).map(endpoints::checkedRelay);
    }

    private static OptionalInt room(Integer machines) {
        if (machines != null) {
            Inputs.within("machines", machines, 0, Bounds.CLUSTER_MACHINES);
        }
        return machines == null ? OptionalInt.empty() : OptionalInt.of(machines);
    }

    @POST
    @Path("{name: [^/:]+}:pair")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Makes a code by which a worker host joins as this cluster: ./outpost worker --join URL",
            description = "A host that is paired already goes on until another one is paired in its place.")
    public Response pair(@PathParam("name") String name) {
        WorkerSecret code = WorkerSecret.draw(WorkerSecret.Kind.CODE, name, random);
        Instant until = act("worker.code", name, "for " + CODE_LIFE, sql -> {
            if (!find(sql, name).provider().equals(WorkerFleets.NAME)) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "cluster " + name + ": its provider is no worker host; add a cluster of the provider worker");
            }
            WorkerRows.offer(sql, name, code.hash(), CODE_LIFE);
            return sql.now().plus(CODE_LIFE);
        });
        return Response.status(201).entity(new WorkerCode(code.text(), until)).build();
    }

    @DELETE
    @Path("{name}")
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.OPERATOR)
    @Operation(
            summary = "Removes a cluster that never had a machine; drain another one instead",
            description = "If-Match says which version is removed.")
    public Response remove(@PathParam("name") String name, @BeanParam Preconditions match) {
        return remove("cluster.remove", name, "", sql -> {
            ClusterRows.lock(sql, name);
            match.require(find(sql, name).version(), "cluster", name);
            if (!ClusterRows.remove(sql, name)) {
                throw Problem.of(
                        Problem.Code.CONFLICT,
                        "cluster " + name + ": machines have been there, whose records name it; set it to DRAINING");
            }
        });
    }

    private static ClusterRows.Stored find(Sql sql, String name) {
        return ClusterRows.find(sql, name).orElseThrow(() -> Problem.notFound("cluster", name));
    }

    private static Response tagged(ClusterView view) {
        return tagged(Response.ok(), view, view.version());
    }
}
