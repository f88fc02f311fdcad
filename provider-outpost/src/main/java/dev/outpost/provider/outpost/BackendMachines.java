package dev.outpost.provider.outpost;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.SharedAccess;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.MonotonicProgress;
import dev.outpost.provider.support.Owner;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.MachinesApi;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The machines of a backend that the key can see. */
final class BackendMachines implements MachineKeeper {
    private final Supplier<BackendAccess> access;
    private final SecureRandom random;

    BackendMachines(Supplier<BackendAccess> access, SecureRandom random) {
        this.access = access;
        this.random = random;
    }

    @Override
    public Uni<String> start(MachineSpec spec, Duration life, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-start", task -> {
            MonotonicProgress steps = new MonotonicProgress(progress);
            MachineCalls machine = newMachine(access, spec, task, steps);
            machine.awaitReady(machine.put(MachineRequestOptions.of(spec).ofTime(life)), steps);
            steps.report(MachinePhase.READY, "ready");
            return machine.id();
        });
    }

    /** Returns the calls to a new machine. The machine is ended if its start fails or is cancelled. */
    static MachineCalls newMachine(
            Supplier<BackendAccess> access, MachineSpec spec, CancellableTask<?> task, MonotonicProgress steps) {
        MachineCalls machine = new MachineCalls(
                new BackendClient(access.get()), UUID.randomUUID().toString());
        steps.report(
                MachinePhase.QUEUED,
                "asking for " + spec.gpu() + " at " + machine.client().access().address() + ", as machine "
                        + machine.id());
        return task.began(machine, begun -> withdraw(begun, steps));
    }

    /** Ends a machine whose start failed or was cancelled. If the backend does not answer, the progress says how to end it later. */
    private static void withdraw(MachineCalls machine, MonotonicProgress steps) {
        boolean interrupted = Thread.interrupted();
        try {
            machine.end();
            if (interrupted) {
                steps.report("the request was withdrawn");
            }
        } catch (BackendException failure) {
            // A backend that refused the request has made no machine, and answers so.
            if (failure.status() == 0 || failure.isRetryable()) {
                steps.report("the request could not be withdrawn (" + failure.getMessage()
                        + "); end it by ./outpost machines stop " + machine.id() + " --provider outpost");
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public Uni<Lease> attach(String id, Consumer<ProvisioningStep> progress) {
        return CancellableTask.uni("outpost-attach", () -> attach(calls(id), new MonotonicProgress(progress)));
    }

    private Lease attach(MachineCalls machine, MonotonicProgress steps) {
        RemoteState state = found(machine);
        machine.requireLive(state);
        MachineToken token = MachineToken.draw(random);
        RemoteState ready = machine.awaitReady(state, steps);
        machine.grant(token, Owner.ofThisProcess(), steps);
        steps.report(MachinePhase.READY, "ready");
        return BackendLease.watched(machine, ready, token, () -> machine.revoke(token));
    }

    /** Takes over a machine of another client, which has drawn the token. */
    Lease takeOver(String id, MachineToken token, MonotonicProgress steps) {
        MachineCalls machine = calls(id);
        RemoteState ready = machine.awaitReady(found(machine), steps);
        steps.report(MachinePhase.READY, "ready");
        return BackendLease.owning(machine, ready, token);
    }

    private static RemoteState found(MachineCalls machine) {
        try {
            return machine.find();
        } catch (BackendException failure) {
            throw new BackendException(
                    failure.code(), "machine " + machine.id() + ": " + failure.getMessage(), failure.isRetryable());
        }
    }

    @Override
    public Uni<List<MachineSummary>> list() {
        return CancellableTask.uni("outpost-list", this::all);
    }

    private List<MachineSummary> all() {
        return new MachinesApi(new BackendClient(access.get()))
                .list().reversed().stream()
                        .map(view -> new RemoteState(view).summary())
                        .toList();
    }

    @Override
    public Multi<String> logs(String id, boolean follow) {
        return Multi.createFrom().emitter(emitter -> {
            Thread reader = Thread.ofVirtual().name("outpost-logs").unstarted(() -> {
                try (InputStream stream =
                                new MachinesApi(new BackendClient(access.get())).logs(MachineId.checked(id), follow);
                        BufferedReader lines =
                                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                    lines.lines().forEach(emitter::emit);
                    emitter.complete();
                } catch (RuntimeException | IOException failure) {
                    emitter.fail(failure);
                }
            });
            emitter.onTermination(reader::interrupt);
            reader.start();
        });
    }

    @Override
    public Uni<SharedAccess> share(String id, GrantTerms terms) {
        return CancellableTask.uni("outpost-share", () -> calls(id).share(terms, random));
    }

    @Override
    public Uni<Void> stop(String id) {
        return CancellableTask.uni("outpost-stop", () -> {
            calls(id).end();
            return null;
        });
    }

    /** Does nothing, because the backend sweeps by itself. */
    @Override
    public Uni<List<String>> sweep() {
        return Uni.createFrom().item(List.of());
    }

    private MachineCalls calls(String id) {
        return new MachineCalls(new BackendClient(access.get()), MachineId.checked(id));
    }
}
