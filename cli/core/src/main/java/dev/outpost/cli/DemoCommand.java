package dev.outpost.cli;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.support.TextTable;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.stats.MachineStats;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Trains a classifier of handwritten digits and prints the number of bytes that were transferred. */
@Command(name = "demo", description = "Train a classifier of handwritten digits on a machine.")
final class DemoCommand implements Runnable {
    private static final int BAR_WIDTH = 30;

    @Mixin
    private MachineChoice choice;

    @Option(names = "--epochs", defaultValue = "30", description = "How long to train; ${DEFAULT-VALUE} unless given.")
    private int epochs;

    @Option(
            names = "--seed",
            defaultValue = "0",
            description = "Decides the split, the weights, the order and the dropout; ${DEFAULT-VALUE} unless given.")
    private long seed;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (epochs < 1) {
            throw new ParameterException(spec.commandLine(), "--epochs: expected at least 1, got " + epochs);
        }
        PrintWriter out = spec.commandLine().getOut();
        long start = System.nanoTime();
        try (RemoteMachine machine = choice.open(new MachineOptions())) {
            machine.awaitReady();
            print(out, "training on %s (%s)", machine.name(), machine.device());
            double accuracy = new DigitsTraining(machine, seed).run(epochs, epoch -> print(out, epoch));
            machine.synchronize();
            print(out, "test accuracy %.4f", accuracy);
            printTraffic(out, machine.stats(), (System.nanoTime() - start) / 1e9);
        }
    }

    private void print(PrintWriter out, DigitsTraining.Epoch epoch) {
        int done = BAR_WIDTH * epoch.number() / epochs;
        String bar = "#".repeat(done) + ".".repeat(BAR_WIDTH - done);
        print(
                out,
                "epoch %2d/%d [%s] loss %.4f accuracy %.4f",
                epoch.number(),
                epochs,
                bar,
                epoch.loss(),
                epoch.accuracy());
    }

    private static void printTraffic(PrintWriter out, MachineStats stats, double seconds) {
        TextTable table = new TextTable("WHAT TRAVELLED", "HOW MUCH");
        table.row("ops recorded", grouped(stats.opsRecorded()));
        table.row("instructions sent", grouped(stats.instructions()));
        table.row(
                "segments", grouped(stats.segments()) + ", " + grouped(stats.repeatedSegments()) + " of them repeats");
        table.row("plans made", grouped(stats.plans()));
        table.row("frames", grouped(stats.frames()));
        table.row("round trips waited for", grouped(stats.waits()));
        table.row("bytes out", grouped(stats.bytesOut()));
        table.row("bytes in", grouped(stats.bytesIn()));
        table.row("bytes per op", String.format(Locale.ROOT, "%.1f", stats.bytesPerOp()));
        table.row("kernels", grouped(stats.kernels()));
        table.row("kernels' time", String.format(Locale.ROOT, "%.2f s of %.2f s", stats.engineNanos() / 1e9, seconds));
        table.lines().forEach(out::println);
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static void print(PrintWriter out, String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
        out.flush();
    }
}
