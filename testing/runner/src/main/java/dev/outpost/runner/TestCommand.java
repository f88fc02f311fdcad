package dev.outpost.runner;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code ./outpost test}: builds and runs the tests by Maven, and prints their progress. Exits with 0 when all tests passed, with 1 when a
 * test failed or none ran, and with 2 when the build failed or a module's tests did not all run.
 */
public final class TestCommand {
    private static final int FAILED = 1;
    private static final int INCOMPLETE = 2;

    private TestCommand() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        try {
            System.exit(run(root, RunnerOptions.parse(List.of(arguments))));
        } catch (RealCluster.StartException ignored) {
            System.exit(INCOMPLETE); // the script has printed why
        } catch (UsageException failure) {
            System.err.println("outpost: " + failure.getMessage());
            System.exit(INCOMPLETE);
        }
    }

    private static int run(Path root, RunnerOptions options) throws IOException, InterruptedException {
        Modules modules = Modules.read(root);
        Selection selection = Selection.of(options, modules, root);
        if (selection.isEmpty()) {
            System.out.println("nothing that tests depend on differs from " + options.since());
            System.out.println("0 passed, 0 failed, 0 skipped");
            return 0;
        }
        if (!options.realCluster()) {
            return run(root, options, modules, selection);
        }
        try (RealCluster cluster = RealCluster.start(root)) {
            return run(root, options, modules, selection);
        }
    }

    private static int run(Path root, RunnerOptions options, Modules modules, Selection selection)
            throws IOException, InterruptedException {
        Path work = Files.createDirectories(root.resolve("target").resolve("test"));
        LeftProcesses left = new LeftProcesses(root, Instant.now());
        Times times = Times.read(work.resolve("times-" + options.kind().name().toLowerCase(Locale.ROOT) + ".tsv"));
        Path events = SurefireReports.prepare(root, work, options.coverage());
        Applications applications = new Applications(root, modules, work);
        boolean isSkippingApplications = applications.areBuilt();
        MavenRun maven =
                new MavenRun(root, work.resolve("maven.log"), selection, options, events, isSkippingApplications);
        TestProgress progress = new TestProgress(root, events, times, selection.everything(), System.out, isTerminal());
        FormatCheck format = new FormatCheck(root, work.resolve("format.log"));
        boolean isBuilt = maven.run(() -> {
            progress.update();
            // By then Maven has loaded the artifacts that it shares with the check.
            if (options.checksFormat() && progress.hasStarted()) {
                format.start();
            }
        });
        if (isBuilt && selection.everything() && !isSkippingApplications) {
            applications.markBuilt();
        }
        List<String> problems = new ArrayList<>(maven.problems(isBuilt));
        format.await().ifPresent(problems::add);
        progress.finish();
        times.save();
        if (options.coverage()) {
            Coverage.print(root, maven, selection.testedModules(modules), System.out);
        }
        left.print(System.out);
        return conclude(root, maven, progress, problems);
    }

    private static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private static int conclude(Path root, MavenRun maven, TestProgress progress, List<String> problems)
            throws IOException {
        problems.forEach(problem -> System.out.println("outpost: " + problem));
        if (!problems.isEmpty()) {
            System.out.println("outpost: all of Maven's output is in " + root.relativize(maven.log()));
        }
        progress.printSlowest();
        Summary summary = Summary.of(root);
        if (problems.isEmpty() && summary.isEmpty()) {
            System.out.println("no test ran: those tagged \"full\" run with --full, or where the method is named");
        }
        summary.printSlow(System.out);
        summary.print(System.out);
        if (!problems.isEmpty()) {
            return INCOMPLETE;
        }
        return summary.isGood() ? 0 : FAILED;
    }
}
