package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.deployment.Deployment;
import dev.outpost.backend.model.deployment.Replica;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.deployment.DeploymentRows;
import dev.outpost.backend.store.deployment.DeploymentRows.Key;
import dev.outpost.backend.store.deployment.ReplicaRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder;
import dev.outpost.rest.deployment.GatewayReport;
import dev.outpost.rest.deployment.GatewayReport.DeploymentReport;
import dev.outpost.rest.deployment.GatewayReport.ReplicaReport;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * Receives the reports of gateways, and answers with their orders. A gateway repeatedly reports its whole state, and
 * the answer is its whole desired state, so a lost report does no harm. A gateway serves the deployments that its key
 * sees, so never those of another organisation.
 */
@Path("/v1/gateways")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "deployments")
public class GatewaysResource extends ApiResource {
    private static final List<String> TAKES = List.of("zeroToToken");

    private final Wakeups wakeups;

    GatewaysResource(Wakeups wakeups) {
        this.wakeups = wakeups;
    }

    private static ReplicaOrder view(ReplicaRows.Ordered stored) {
        return new ReplicaOrder(
                stored.machine(),
                stored.revision(),
                stored.model(),
                stored.dtype().orElse(null),
                stored.phase(),
                stored.isDraining());
    }

    @PUT
    @Path("{id: [^/:]+}")
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Takes a gateway's report, and answers what there shall be",
            description = "A gateway that was silent for 15 s asks for nothing any more.")
    public GatewayOrders report(@PathParam("id") String id, GatewayReport request) {
        String gateway = ResourceNames.slug("id", id);
        GatewayReport body = Inputs.required(request);
        List<DeploymentReport> reports = checked(body.deployments());
        GatewayOrders desired = transact(sql -> {
            reports.forEach(report -> take(sql, gateway, report));
            return orders(sql);
        });
        if (!reports.isEmpty()) {
            wakeups.deployments();
        }
        return desired;
    }

    private static List<DeploymentReport> checked(List<DeploymentReport> reports) {
        List<DeploymentReport> known = reports == null ? List.of() : reports;
        if (known.size() > Bounds.DEPLOYMENTS || known.stream().anyMatch(Objects::isNull)) {
            throw Problem.invalid(
                    "deployments: expected up to " + Bounds.DEPLOYMENTS + " objects, got " + known.size());
        }
        return known.stream()
                .sorted(Comparator.comparing(report -> String.valueOf(report.name())))
                .toList();
    }

    /** Applies the report about a deployment, unless the deployment does not exist or the key does not see it. */
    private void take(Sql sql, String gateway, DeploymentReport report) {
        Inputs.within("held", Optional.ofNullable(report.held()).orElse(-1), 0, Bounds.GATEWAY_REQUESTS);
        if (report.zeroToToken() != null && report.zeroToToken().isNegative()) {
            throw Problem.invalid("zeroToToken: expected 0 or more, got " + report.zeroToToken());
        }
        List<ReplicaReport> replicas = report.replicas() == null ? List.of() : report.replicas();
        if (replicas.size() > Bounds.GATEWAY_REPLICAS) {
            throw Problem.invalid(
                    "replicas: expected " + Bounds.GATEWAY_REPLICAS + " at the most, got " + replicas.size());
        }
        Key key = new Key(caller.organisation(), ResourceNames.slug("name", report.name()));
        Instant now = sql.now();
        Optional<Deployment> row = DeploymentRows.lock(sql, key).filter(found -> caller.sees(found.project()));
        if (row.isEmpty()) {
            return;
        }
        ReplicaRows.demand(sql, key, gateway, report.held(), now);
        Optional.ofNullable(report.zeroToToken())
                .ifPresent(took -> DeploymentRows.recordFirstToken(sql, key, new DeploymentRows.FirstToken(took, now)));
        Map<UUID, Replica> own =
                ReplicaRows.of(sql, key).stream().collect(Collectors.toMap(Replica::machine, Function.identity()));
        for (ReplicaReport replica : replicas) {
            Replica.Use use = use(gateway, replica, now);
            if (own.containsKey(replica.machine())) {
                ReplicaRows.report(sql, replica.machine(), use);
            }
        }
        DeploymentRows.update(sql, row.get(), now);
    }

    private static Replica.Use use(String gateway, ReplicaReport report, Instant now) {
        if (report == null || report.machine() == null || report.state() == null) {
            throw Problem.invalid("replicas: expected objects with machine and state");
        }
        Inputs.within("requests", Optional.ofNullable(report.requests()).orElse(0), 0, Bounds.GATEWAY_REQUESTS);
        try {
            return new Replica.Use(
                    gateway,
                    report.state(),
                    report.requests() == null ? 0 : report.requests(),
                    report.cacheUse() == null ? 0 : report.cacheUse(),
                    text(report.text()),
                    now);
        } catch (IllegalArgumentException failure) {
            throw Problem.invalid(failure.getMessage());
        }
    }

    private static String text(String text) {
        String clean = text == null ? "" : text.replaceAll("\\p{Cntrl}", " ");
        return clean.length() > Bounds.REPORTED_TEXT ? clean.substring(0, Bounds.REPORTED_TEXT) : clean;
    }

    private GatewayOrders orders(Sql sql) {
        Map<String, List<ReplicaRows.Ordered>> replicas = ReplicaRows.ordered(sql, caller.organisation());
        return new GatewayOrders(
                DeploymentRows.all(sql, caller.organisation(), caller.project()).stream()
                        .map(row -> order(row, replicas.getOrDefault(row.name(), List.of())))
                        .toList(),
                !ClusterRows.isAnyAdopting(sql),
                TAKES);
    }

    private static DeploymentOrder order(Deployment row, List<ReplicaRows.Ordered> replicas) {
        return new DeploymentOrder(
                row.name(),
                row.project(),
                row.wanted(),
                row.isRemoved() ? 0 : row.scale().max(),
                row.failures(),
                row.text(),
                replicas.stream().map(GatewaysResource::view).toList());
    }
}
