package dev.outpost.system.machines;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** A program that ends, or is killed, without having closed its machine. */
final class UnclosedMachineProgram {
    private UnclosedMachineProgram() {}

    /**
     * @param arguments {@code there} or {@code coming}, as for the machine, then {@code leave}, or {@code stay} until it
     *     is ended
     */
    public static void main(String[] arguments) throws IOException {
        boolean there = arguments[0].equals("there");
        Duration delay = there ? Duration.ZERO : Duration.ofHours(1);
        MockProvider mock = new MockProvider(MockSettings.STANDARD.withProvisioning(delay));
        RemoteMachine machine = RemoteMachine.of(new Reporting(mock), "A100", new MachineOptions());
        if (there) {
            machine.ones(3).sum().item();
        }
        System.out.println("holding");
        if (arguments[1].equals("stay")) {
            System.in.read();
        }
    }

    /** A provider that prints the end of its machines. */
    private record Reporting(GpuProvider machines) implements GpuProvider {
        @Override
        public String name() {
            return "reporting";
        }

        @Override
        public void validate(MachineSpec spec) {
            machines.validate(spec);
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return machines.provision(spec, progress)
                    .<Lease>map(Reported::new)
                    .onCancellation()
                    .invoke(() -> System.out.println("cancelled"));
        }
    }

    private record Reported(Lease lease) implements Lease {
        @Override
        public String id() {
            return lease.id();
        }

        @Override
        public Endpoint endpoint() {
            return lease.endpoint();
        }

        @Override
        public Uni<MachineLoss> lost() {
            return lease.lost();
        }

        @Override
        public Uni<Void> release() {
            return lease.release().invoke(() -> System.out.println("released"));
        }
    }
}
