package dev.outpost.cli.worker;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineRef;
import java.util.List;
import java.util.stream.Stream;

/**
 * The capacity of a host.
 *
 * @param gpus the kinds of GPU that machines can have there, by the names of the catalogue
 * @param machines the maximum number of machines at a time
 */
public record HostCapacity(List<String> gpus, int machines) {
    private static final int MAX = 100;
    private static final MachineRef NONE = new MachineRef("capacity", 1);

    public HostCapacity {
        gpus = List.copyOf(gpus);
        if (machines < 1 || machines > MAX) {
            throw new IllegalArgumentException("machines: expected 1 to " + MAX + ", got " + machines);
        }
    }

    /** Returns the capacity with the kinds that the host's own fleet does not refuse. */
    public static HostCapacity of(MachineFleet local, GpuCatalogue catalogue, int machines) {
        List<String> kinds = Stream.concat(catalogue.types().stream(), Stream.of(GpuType.ANY))
                .filter(type -> isThere(local, type))
                .map(GpuType::name)
                .toList();
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException(
                    "worker: this host can have no machine at all; ./outpost demo --machine" + " process:any says why");
        }
        return new HostCapacity(kinds, machines);
    }

    private static boolean isThere(MachineFleet local, GpuType type) {
        try {
            local.validate(DesiredMachine.of(NONE, type));
            return true;
        } catch (IllegalArgumentException ignored) {
            return false;
        }
    }
}
