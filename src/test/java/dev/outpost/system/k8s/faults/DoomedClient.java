package dev.outpost.system.k8s.faults;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.system.HeldProvider;
import java.time.Duration;

/** A program that brings a machine to one step of its life and stays there until it is killed. */
final class DoomedClient {
    /** Longer than any test. */
    private static final Duration LIFE = Duration.ofMinutes(10);

    private DoomedClient() {}

    static ClientJvm start(SteppedCluster steppedCluster, MachineStep step, Duration lease) {
        return ClientJvm.start(DoomedClient.class, steppedCluster, lease, step.name());
    }

    public static void main(String[] arguments) throws InterruptedException {
        HeldProvider provider = ClientJvm.provider(arguments);
        RemoteMachine machine = RemoteMachine.of(provider, "A100", new MachineOptions().progress(news -> {}));
        switch (MachineStep.valueOf(ClientJvm.argument(arguments))) {
            case FIRST_SESSION -> awaitLease(provider);
            case MID_SEGMENT -> work(provider, machine);
            case DURING_DELETE -> delete(provider, machine);
            case BEFORE_CREATE, AFTER_CREATE, BEFORE_READY -> provider.release();
        }
        Thread.sleep(LIFE);
    }

    private static void awaitLease(HeldProvider provider) throws InterruptedException {
        while (provider.leases().isEmpty()) {
            Thread.sleep(1);
        }
        ClientJvm.sayThere();
    }

    private static void work(HeldProvider provider, RemoteMachine machine) {
        provider.release();
        CountingProgram.on(machine);
        ClientJvm.sayThere();
    }

    private static void delete(HeldProvider provider, RemoteMachine machine) {
        provider.release();
        machine.ones(1).sum().itemDouble();
        machine.close();
    }
}
