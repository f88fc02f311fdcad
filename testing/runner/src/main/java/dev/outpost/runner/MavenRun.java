package dev.outpost.runner;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One run of Maven, whose output goes to a file. */
final class MavenRun {
    private static final long POLL_MILLIS = 200;
    /** The most concurrent modules: more would need more memory than a small machine has, because a test JVM takes up to 2 GiB. */
    private static final int MAX_JVMS = 4;
    /** The memory for a test JVM and the processes that its tests start. */
    private static final long BYTES_OF_A_JVM = 5L << 30;

    private static final Pattern DIED = Pattern.compile("SurefireBooterForkException|There was a timeout in the fork");
    private static final Pattern NOISE = Pattern.compile(
            "\\[Help [0-9]*\\]|[Rr]e-run Maven|For more information|After correcting|mvn <args>|^\\[ERROR\\] *$");

    private final Path root;
    private final Path log;
    private final List<String> arguments;
    private final Map<String, String> environment;

    /**
     * Makes a run without starting it.
     *
     * @param skipsApplications true if the Quarkus applications are up to date
     */
    MavenRun(Path root, Path log, Selection selection, RunnerOptions options, Path events, boolean skipsApplications) {
        this.root = root;
        this.log = log;
        this.arguments = arguments(root, selection, options, events);
        if (skipsApplications) {
            arguments.addFirst("-Dquarkus.build.skip=true");
        }
        this.environment = options.realCluster() ? RealCluster.environment() : Map.of();
    }

    private static List<String> arguments(Path root, Selection selection, RunnerOptions options, Path events) {
        int jvms = options.realCluster()
                ? 1 // the tests share a namespace of the cluster
                : jvms(Runtime.getRuntime().availableProcessors(), memory());
        List<String> arguments = new ArrayList<>(List.of(
                "-T" + jvms,
                "--fail-at-end",
                "-Dmaven.test.failure.ignore=true",
                "-Dspotless.check.skip",
                "-Dtest.jvms=" + jvms,
                "-Doutpost.test.events=" + events));
        switch (options.kind()) {
            case QUICK -> arguments.addAll(List.of("-Dgroups=quick", "-DexcludedGroups="));
            case FULL ->
                arguments.addAll(List.of(
                        "-DexcludedGroups=",
                        "-Dtest.jvm.tiers=",
                        "-Dtest.most.seconds=50000",
                        "-Dtest.most.minutes=120",
                        "-Pstress",
                        "-Pbench"));
            case DEFAULT -> {
                if (selection.named()) {
                    arguments.add("-DexcludedGroups=");
                }
            }
        }
        if (!selection.everything()) {
            arguments.addAll(chosen(selection));
        }
        if (options.realCluster()) {
            arguments.addAll(RealCluster.mavenArguments(root, options));
        }
        if (options.coverage()) {
            arguments.add("-Pcoverage");
        }
        arguments.addAll(options.maven());
        arguments.add("test");
        return arguments;
    }

    /** One more than there are processors, because tests wait for a part of their time, if the memory suffices for that. */
    static int jvms(int processors, long memory) {
        boolean hasRoom = memory / BYTES_OF_A_JVM > processors;
        return Math.min(MAX_JVMS, hasRoom ? processors + 1 : processors);
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean host
                ? host.getTotalMemorySize()
                : 0;
    }

    private static List<String> chosen(Selection selection) {
        List<String> arguments = new ArrayList<>(List.of(
                "-Dtest=" + String.join(",", selection.tests()),
                "-Dsurefire.failIfNoSpecifiedTests=false",
                "--also-make",
                "--projects",
                selection.modules().stream().map(BuildModule::path).collect(Collectors.joining(","))));
        selection.modules().stream()
                .map(BuildModule::profile)
                .filter(profile -> !profile.isEmpty())
                .distinct()
                .forEach(profile -> arguments.add("-P" + profile));
        return arguments;
    }

    Path log() {
        return log;
    }

    /** Called repeatedly while Maven runs. */
    interface Observer {
        void poll() throws IOException;
    }

    /** Returns true if Maven succeeded; failed tests alone do not make it fail. */
    boolean run(Observer observer) throws IOException, InterruptedException {
        Process process = start(arguments, ProcessBuilder.Redirect.to(log.toFile()));
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            observer.poll();
        }
        observer.poll();
        return process.exitValue() == 0;
    }

    /** Runs a goal after the tests; its output is appended to the file. */
    void runGoal(List<String> goal) throws IOException, InterruptedException {
        Process process = start(goal, ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (process.waitFor() != 0) {
            throw new IOException("Maven failed at " + goal + ", see " + log);
        }
    }

    private Process start(List<String> goals, ProcessBuilder.Redirect output) throws IOException {
        List<String> command = new ArrayList<>(List.of(root.resolve("mvnw").toString()));
        command.addAll(goals);
        ProcessBuilder maven = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output);
        removeMachines(maven.environment());
        maven.environment().putAll(environment);
        return maven.start();
    }

    /**
     * Removes the variables by which {@code ./outpost} names a machine and the runtime that it has built. A test that opens a machine
     * without a name would otherwise start that runtime with the options of users, and its result would depend on the caller.
     */
    static void removeMachines(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.equals("OUTPOST_MACHINE") || name.startsWith("OUTPOST_PROCESS_"));
    }

    /** Returns the reasons why not all tests have run: Maven's errors, and test JVMs that died or were ended. */
    List<String> problems(boolean isBuilt) throws IOException {
        List<String> lines = Files.readAllLines(log);
        List<String> problems = new ArrayList<>();
        if (lines.stream().anyMatch(line -> DIED.matcher(line).find())) {
            problems.add(
                    "a test JVM died or was ended at its module's time limit, so the tests of a module have not all run");
        }
        if (!isBuilt) {
            lines.stream()
                    .filter(line ->
                            line.startsWith("[ERROR]") && !NOISE.matcher(line).find())
                    .distinct()
                    .forEach(System.out::println);
            problems.add("the build failed");
        }
        return problems;
    }
}
