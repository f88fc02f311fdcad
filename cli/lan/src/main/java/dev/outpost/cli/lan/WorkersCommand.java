package dev.outpost.cli.lan;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.TextTable;
import dev.outpost.onnx.plan.QuantityFormat;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.Workers;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The workers of the local network. */
@Command(
        name = "workers",
        description = "List the workers of the local network, pair with them, and measure them.",
        subcommands = WorkersMeasure.class)
final class WorkersCommand implements Runnable {
    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to look before listing, at most, such as 10s; ${DEFAULT-VALUE} by default.",
            defaultValue = "3s")
    private Duration wait;

    @Option(names = "--watch", description = "List again every second, until the command is ended.")
    private boolean watch;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        try (Workers workers = Workers.discover(wait)) {
            print(workers);
            while (watch && !Thread.currentThread().isInterrupted()) {
                Thread.sleep(Duration.ofSeconds(1));
                print(workers);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(Workers workers) {
        PrintWriter out = spec.commandLine().getOut();
        List<Worker> found = workers.list();
        if (found.isEmpty()) {
            out.println("no worker was found; ./outpost runtime --announce on a host of this network starts one");
        }
        TextTable table = new TextTable(
                "NAME", "ADDRESS", "GPU", "ENGINE", "FREE", "MEMORY", "FORMATS", "SESSIONS", "LATENCY", "PAIRED");
        for (Worker worker : found) {
            table.row(
                    worker.name(),
                    worker.address(),
                    worker.gpu(),
                    worker.engine(),
                    QuantityFormat.bytes(worker.freeBytes()),
                    QuantityFormat.bytes(worker.memoryBytes()),
                    String.join(",", worker.formats()),
                    Integer.toString(worker.sessions()),
                    worker.latency().map(WorkersCommand::millis).orElse("no answer"),
                    switch (worker.pairing()) {
                        case PAIRED -> "yes";
                        case NEW -> "no";
                        case CHANGED -> "no: another certificate";
                    });
        }
        if (!found.isEmpty()) {
            table.lines().forEach(out::println);
        }
        workers.refused().forEach(sentence -> out.println("left out: " + sentence));
        out.flush();
    }

    private static String millis(Duration latency) {
        return String.format(Locale.ROOT, "%.1f ms", latency.toNanos() * 1e-6);
    }

    @Command(name = "pair", description = "Pair with a worker, by the code that it shows.")
    void pair(
            @Parameters(paramLabel = "NAME", description = "The worker.") String name,
            @Option(
                            names = "--code",
                            description =
                                    "The code that the worker shows; asked for unless given. A token that was set for the"
                                            + " worker stands in $OUTPOST_LAN_TOKEN.")
                    String code)
            throws IOException, InterruptedException {
        try (Workers workers = Workers.open()) {
            awaitName(workers, name);
            Worker worker = workers.pair(name, code(code));
            spec.commandLine().getOut().println("paired with " + worker.name() + " at " + worker.address());
            spec.commandLine().getOut().flush();
        }
    }

    private static void awaitName(Workers workers, String name) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(6).toNanos();
        while (System.nanoTime() < end
                && workers.list().stream()
                        .noneMatch(each ->
                                each.name().equals(name) || each.certificate().startsWith(name))) {
            Thread.sleep(Duration.ofMillis(100));
        }
    }

    private static String code(String text) {
        if (text != null) {
            return text;
        }
        String token = System.getenv("OUTPOST_LAN_TOKEN");
        if (token != null && !token.isBlank()) {
            return token;
        }
        CommandProgress.ofProcess().beforeOutput();
        Console console = System.console();
        String typed = console == null ? null : console.readLine("code: ");
        if (typed == null) {
            throw new IllegalArgumentException(
                    "--code: there is no terminal to ask for the code that the worker shows");
        }
        return typed;
    }

    @Command(name = "forget", description = "Forget a worker.")
    void forget(@Parameters(paramLabel = "NAME", description = "The worker.") String name) throws IOException {
        try (Workers workers = Workers.open()) {
            boolean wasKnown = workers.forget(name);
            spec.commandLine().getOut().println(wasKnown ? "forgot " + name : name + " was not paired");
            spec.commandLine().getOut().flush();
        }
    }
}
