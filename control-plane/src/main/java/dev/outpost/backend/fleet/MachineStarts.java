package dev.outpost.backend.fleet;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.model.usage.Quota;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.Machines;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.rest.machine.Phase;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Requests machines for jobs and deployments, under the budgets and quotas of their tenants. */
final class MachineStarts {
    private final Machines machines;
    private final Budgets budgets;

    MachineStarts(Machines machines, Budgets budgets) {
        this.machines = machines;
        this.budgets = budgets;
    }

    /**
     * Inserts a machine that waits for its turn. The driver starts it later.
     *
     * @param keyId the key whose budget pays for it
     * @return empty if the machine was inserted; otherwise the reason: its project is archived, no cluster has such a GPU, or a budget does
     *     not allow it
     */
    Optional<String> start(Sql sql, UUID id, Request request, String keyId) {
        Optional<TenantRows.Project> archived = TenantRows.project(sql, request.organisation(), request.project())
                .filter(project -> project.archived().isPresent());
        if (archived.isPresent()) {
            return Optional.of("its project " + request.project() + " is archived, and takes no machines");
        }
        Optional<String> impossible = ClusterCapacity.of(sql).impossible(request.gpu());
        if (impossible.isPresent()) {
            return impossible;
        }
        Optional<Budgets.Excess> excess = budgets.check(sql, request, keyId);
        if (excess.isPresent()) {
            return Optional.of(excess.get().text());
        }
        machines.createNew(sql, queued(sql, id, request));
        budgets.begin(sql, id, request, keyId);
        return Optional.empty();
    }

    private static Machine queued(Sql sql, UUID id, Request request) {
        Instant now = sql.now();
        return QuotaRows.check(sql, request, now)
                .map(Quota.Excess::text)
                .map(over -> Machine.queued(id, request, Phase.QUOTA, over, now))
                .orElseGet(() -> Machine.queued(id, request, Phase.POSITION, "it waits for its turn", now));
    }
}
