package dev.outpost.runner;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The lines and branches that the tests of all modules together have executed, by module. */
final class Coverage {
    private static final int BRANCH_MISSED = 5;
    private static final int LINE_MISSED = 7;

    private Coverage() {}

    /** The file that all test JVMs append to; the profile "coverage" names it as well. */
    static Path data(Path root) {
        return root.resolve("target").resolve("jacoco.exec");
    }

    static void print(Path root, MavenRun maven, List<BuildModule> modules, PrintStream out)
            throws IOException, InterruptedException {
        String paths = modules.stream().map(BuildModule::path).collect(Collectors.joining(","));
        maven.runGoal(
                List.of("-q", "-Pcoverage", "--projects", paths, "jacoco:report", "-Djacoco.dataFile=" + data(root)));
        out.println("covered:");
        for (BuildModule module : modules) {
            Path table = root.resolve(module.path()).resolve("target/site/jacoco/jacoco.csv");
            if (Files.exists(table)) {
                out.println(row(module.path(), Files.readAllLines(table)));
            }
        }
        out.println();
    }

    /** A row of JaCoCo's table ends with pairs of missed and covered ones: instructions, branches, lines and others. */
    static String row(String module, List<String> table) {
        long[] sums = new long[LINE_MISSED + 2];
        for (String line : table.subList(1, table.size())) {
            String[] fields = line.split(",");
            for (int i = BRANCH_MISSED; i < sums.length; i++) {
                sums[i] += Long.parseLong(fields[i]);
            }
        }
        return "  %-24s lines %s, branches %s".formatted(module, share(sums, LINE_MISSED), share(sums, BRANCH_MISSED));
    }

    private static String share(long[] sums, int missed) {
        long all = sums[missed] + sums[missed + 1];
        return all == 0 ? "none" : "%.1f %% of %,d".formatted(100.0 * sums[missed + 1] / all, all);
    }
}
