package dev.outpost.cli.backend;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A provider whose machines are entries of a list. */
public final class FakeMachineProvider implements GpuProvider, MachineKeeper {
    public static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

    public final List<MachineSummary> machines = new ArrayList<>();
    public final List<String> leftovers = new ArrayList<>();
    public Map<String, String> options = Map.of();
    public boolean followed;

    @Override
    public String name() {
        return "k8s";
    }

    @Override
    public void validate(MachineSpec spec) {
        if (spec.options().containsKey("colour")) {
            throw new IllegalArgumentException("colour: paper is white, got " + spec.options());
        }
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        throw new AssertionError("no command asks for a machine of its own");
    }

    @Override
    public Optional<MachineKeeper> keeper() {
        return Optional.of(this);
    }

    @Override
    public Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> {
            options = spec.options();
            String id = "outpost-" + (machines.size() + 1);
            add(id, spec.gpu().name(), "running", Duration.ZERO, Optional.of(life));
            return id;
        });
    }

    public void add(String id, String gpu, String state, Duration age, Optional<Duration> left) {
        machines.add(new MachineSummary(
                id, gpu, state, "ada@laptop", NOW.minus(age), left.map(NOW::plus), left.isPresent()));
    }

    @Override
    public Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress) {
        throw new AssertionError("no command attaches");
    }

    @Override
    public Uni<List<MachineSummary>> list() {
        return Uni.createFrom().item(() -> List.copyOf(machines));
    }

    @Override
    public Multi<String> logs(String id, boolean follow) {
        followed = follow;
        return Multi.createFrom().items(id + " line 1", id + " line 2");
    }

    @Override
    public Uni<Void> stop(String id) {
        return Uni.createFrom().item(() -> {
            if (!machines.removeIf(machine -> machine.id().equals(id))) {
                throw new IllegalStateException("there is no machine called " + id);
            }
            return null;
        });
    }

    @Override
    public Uni<List<String>> sweep() {
        return Uni.createFrom().item(() -> List.copyOf(leftovers));
    }
}
