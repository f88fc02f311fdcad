package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.explain.*;
import dev.outpost.nn.*;
import dev.outpost.stats.*;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Shows how a machine computes a layer, what the program sent, and when each part ran. Argument: the file for the timeline. If {@code
 * OUTPOST_INSTRUCTION_LOG} names a file, Outpost also writes each event to it.
 */
public final class ExplainAndProfile {
    private static final int STEPS = 30;

    private ExplainAndProfile() {}

    public static void main(String[] args) throws Exception {
        Path timeline = Path.of(args.length > 0 ? args[0] : "trace.json");
        try (RemoteMachine machine = RemoteMachine.open(new MachineOptions().profile(timeline))) {
            machine.manualSeed(0);
            Linear layer = new Linear(784, 512);
            layer.to(machine);
            Tensor images = machine.rand(64, 784);
            Tensor output = null;
            for (int step = 0; step < STEPS; step++) {
                try (Scope scope = machine.scope()) {
                    output = scope.keep(layer.forward(images).relu().mean(1));
                }
            }

            // The kernels, with their times, their code and the memory of the segment.
            Explanation explanation = output.explain();
            System.out.println(explanation);
            System.out.printf(
                    "%d kernels for %d instructions%n",
                    explanation.segment().kernels(), explanation.segment().instructions());

            // Each step after the first few has the structure of an earlier step, so only the differences are sent.
            MachineStats stats = machine.stats();
            System.out.printf(
                    "%d ops in %d segments, %d of them repeated; %d plans, %d kernels%n",
                    stats.opsRecorded(), stats.segments(), stats.repeatedSegments(), stats.plans(), stats.kernels());
            System.out.printf(
                    "%d bytes sent and %d received; the program waited %d times%n",
                    stats.bytesOut(), stats.bytesIn(), stats.waits());
        }
        // The file is written when the machine is closed. ui.perfetto.dev shows it.
        System.out.printf("%s has %d bytes%n", timeline, Files.size(timeline));
    }
}
