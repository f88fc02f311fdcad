package dev.outpost.runner;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line of {@code ./outpost test}.
 *
 * @param kind the tags to run
 * @param names classes, methods or modules; all if empty
 * @param changed true to run only modules that differ from {@code since}, and their dependents
 * @param since a Git reference; empty for the upstream branch
 * @param realCluster true to run only the tests that support a real Kubernetes cluster, on one
 * @param maven further arguments for Maven
 */
record RunnerOptions(
        Kind kind,
        List<String> names,
        boolean changed,
        String since,
        boolean coverage,
        boolean realCluster,
        List<String> maven) {
    static final String USAGE = "./outpost test [NAME...] [--quick | --full] [--changed [--since REF]]"
            + " [--coverage [MODULE...]] [--real-cluster] [-Dname=value] [-- arguments for Maven]";

    enum Kind {
        QUICK,
        DEFAULT,
        FULL
    }

    static RunnerOptions parse(List<String> arguments) {
        Kind kind = Kind.DEFAULT;
        List<String> names = new ArrayList<>();
        List<String> maven = new ArrayList<>();
        String since = "";
        boolean changed = false;
        boolean coverage = false;
        boolean realCluster = false;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--quick" -> kind = Kind.QUICK;
                case "--full" -> kind = Kind.FULL;
                case "--changed" -> changed = true;
                case "--coverage" -> coverage = true;
                case "--real-cluster" -> realCluster = true;
                case "--since" -> {
                    if (++i == arguments.size()) {
                        throw new UsageException("--since needs a Git reference: " + USAGE);
                    }
                    since = arguments.get(i);
                    changed = true;
                }
                case "--" -> {
                    maven.addAll(arguments.subList(i + 1, arguments.size()));
                    i = arguments.size();
                }
                default -> (argument.startsWith("-D") ? maven : names).add(known(argument));
            }
        }
        if (changed && !names.isEmpty()) {
            throw new UsageException("--changed chooses the modules itself, and got " + names + ": " + USAGE);
        }
        if (realCluster && (changed || kind == Kind.QUICK)) {
            throw new UsageException(
                    "--real-cluster chooses the tests itself, so it goes with neither --changed nor --quick: " + USAGE);
        }
        return new RunnerOptions(kind, List.copyOf(names), changed, since, coverage, realCluster, List.copyOf(maven));
    }

    /** Quick runs, runs on a real cluster and runs of chosen tests do not check the format; the whole run does. */
    boolean checksFormat() {
        return kind != Kind.QUICK && names.isEmpty() && !realCluster;
    }

    private static String known(String argument) {
        if (argument.startsWith("-") && !argument.startsWith("-D")) {
            throw new UsageException("test does not know " + argument + ": " + USAGE);
        }
        return argument;
    }
}
