package dev.outpost.provider.mock;

import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The machines of one provider that live for a stated time in this JVM, with or without a client. */
final class MockKeeper implements MachineKeeper {
    private final MockProvider provider;

    MockKeeper(MockProvider provider) {
        this.provider = provider;
    }

    @Override
    public Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return provider.provision(spec, life, progress).map(MockLease::machine).map(machine -> {
            endAfter(machine, life);
            return machine.id();
        });
    }

    @Override
    public Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom().item(() -> {
            MockMachine machine = requireRunning(id);
            progress.accept(new ProvisioningStep(MachinePhase.READY, id + " is running", Duration.ZERO));
            return new MockAttachment(machine);
        });
    }

    @Override
    public Uni<List<MachineSummary>> list() {
        return Uni.createFrom()
                .item(() ->
                        provider.machines().stream().map(MockMachine::summary).toList());
    }

    @Override
    public Multi<String> logs(String id, boolean follow) {
        return Multi.createFrom().deferred(() -> {
            MockMachine machine = find(id);
            Multi<String> started = Multi.createFrom().item(id + " started: " + machine.device());
            return follow || machine.ended().isDone()
                    ? Multi.createBy().concatenating().streams(started, end(machine))
                    : started;
        });
    }

    private static Multi<String> end(MockMachine machine) {
        return Uni.createFrom()
                .completionStage(() -> machine.ended().copy())
                .map(reason -> machine.id() + " ended: " + reason)
                .toMulti();
    }

    @Override
    public Uni<Void> stop(String id) {
        return Uni.createFrom().item(() -> {
            MockMachine machine = find(id);
            machine.lose(id + " was stopped");
            provider.forget(machine);
            return null;
        });
    }

    @Override
    public Uni<List<String>> sweep() {
        return Uni.createFrom()
                .item(() -> provider.machines().stream()
                        .filter(machine -> machine.ended().isDone())
                        .map(this::remove)
                        .toList());
    }

    private String remove(MockMachine machine) {
        provider.forget(machine);
        return machine.id() + ": " + machine.summary().state();
    }

    private static void endAfter(MockMachine machine, Duration life) {
        machine.ended().copy().orTimeout(life.toNanos(), TimeUnit.NANOSECONDS).whenCompleteAsync((reason, problem) -> {
            if (problem instanceof TimeoutException) {
                machine.lose("its life of " + life + " is over");
            }
        });
    }

    private MockMachine requireRunning(String id) {
        MockMachine machine = find(id);
        if (!machine.summary().attachable()) {
            throw new IllegalStateException("attach: " + id + " belongs to the program that started it");
        }
        if (machine.ended().isDone()) {
            throw new IllegalStateException(
                    "attach: " + id + " has " + machine.summary().state());
        }
        return machine;
    }

    private MockMachine find(String id) {
        List<MockMachine> machines = provider.machines();
        return machines.stream()
                .filter(machine -> machine.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the mock has no machine called " + id + "; there are " + names(machines)));
    }

    private static String names(List<MockMachine> machines) {
        return machines.isEmpty()
                ? "none"
                : machines.stream().map(MockMachine::id).collect(Collectors.joining(", "));
    }
}
