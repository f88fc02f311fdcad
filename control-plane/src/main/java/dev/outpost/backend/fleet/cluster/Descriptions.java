package dev.outpost.backend.fleet.cluster;

import dev.outpost.backend.model.Machine;
import dev.outpost.backend.model.Pool;
import dev.outpost.backend.model.Request;
import dev.outpost.backend.store.GrantRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.Tenancy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Describes rows to fleets. */
public final class Descriptions {
    private Descriptions() {}

    public static MachineRef ref(Machine row) {
        return new MachineRef(row.suppliedAs().toString(), row.epoch());
    }

    /**
     * Describes the machine that a request would get, without grants.
     *
     * @param kind the kind of GPU
     */
    public static DesiredMachine of(Request request, String kind, GpuCatalogue catalogue) {
        MachineRef planned = new MachineRef("plan", 1);
        return of(planned, request, kind, List.of(), catalogue, Optional.empty());
    }

    /**
     * @param manager the grant by which the control plane manages the machine
     * @param job the runner that starts beside it
     */
    public static DesiredMachine of(
            Machine row,
            List<GrantRows.Stored> grants,
            Optional<Grant> manager,
            GpuCatalogue catalogue,
            Optional<JobRun> job) {
        List<Grant> all = Stream.concat(
                        manager.stream(),
                        grants.stream()
                                .filter(grant -> grant.revoked().isEmpty())
                                .map(Descriptions::grant))
                .toList();
        return of(ref(row), row.request(), row.gpu(), all, catalogue, job);
    }

    private static DesiredMachine of(
            MachineRef machine,
            Request request,
            String kind,
            List<Grant> grants,
            GpuCatalogue catalogue,
            Optional<JobRun> job) {
        MachineBounds bounds = new MachineBounds(OptionalLong.empty(), request.lease(), request.idle(), request.life());
        return new DesiredMachine(
                machine,
                catalogue.find(kind),
                request.gpus(),
                bounds,
                grants,
                Map.of(
                        Tenancy.ORGANISATION_LABEL,
                        request.organisation(),
                        Tenancy.LABEL,
                        tenancy(request.organisation()).text(),
                        "project",
                        request.project(),
                        "owner",
                        request.owner()),
                Map.of(),
                job);
    }

    private static Tenancy tenancy(String organisation) {
        return switch (organisation) {
            case TenantRows.OPERATOR -> Tenancy.OPERATOR;
            case Pool.ORGANISATION -> Tenancy.POOL;
            default -> Tenancy.TENANT;
        };
    }

    public static Grant grant(GrantRows.Stored stored) {
        return new Grant(stored.sha256(), stored.terms());
    }
}
