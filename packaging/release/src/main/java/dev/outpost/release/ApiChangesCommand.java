package dev.outpost.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code ./outpost api-changes}: builds the last release from its tag, and fails if the sources break its public API without a mark. */
public final class ApiChangesCommand {
    private static final String USAGE = "./outpost api-changes [--since TAG]";
    private static final List<String> MODULES = List.of("protocol", "channel", "provider-spi", "api");
    private static final String COMPARER = "com.github.siom79.japicmp:japicmp:0.24.2:jar:jar-with-dependencies";

    private ApiChangesCommand() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of("").toAbsolutePath();
        try {
            Optional<String> tag = tag(List.of(arguments), root);
            if (tag.isEmpty()) {
                System.out.println("skipped: there is no tag of a release to compare with");
                return;
            }
            compare(root, tag.get());
            System.out.println("the public API is compatible with " + tag.get());
        } catch (ReleaseException failure) {
            System.err.println("outpost: " + failure.getMessage());
            System.exit(1);
        }
    }

    private static Optional<String> tag(List<String> arguments, Path root) throws IOException, InterruptedException {
        if (arguments.isEmpty()) {
            return new SourceRepository(root).lastRelease().map(ReleaseVersion::tag);
        }
        if (arguments.size() != 2 || !arguments.getFirst().equals("--since")) {
            throw new ReleaseException("api-changes does not know these arguments: " + USAGE);
        }
        return Optional.of(arguments.getLast());
    }

    private static void compare(Path root, String tag) throws IOException, InterruptedException {
        Path comparer = root.resolve("target/japicmp");
        new Subprocesses(root)
                .run(List.of(
                        "./mvnw",
                        "-q",
                        "--non-recursive",
                        "dependency:copy",
                        "-Dartifact=" + COMPARER,
                        "-DoutputDirectory=" + comparer,
                        "-Dmdep.stripVersion"));
        new SourceRepository(root).inWorkTree(tag, tree -> {
            List<Path> old = jars(tree);
            List<Path> next = jars(root);
            new ApiComparison(
                            comparer.resolve("japicmp-jar-with-dependencies.jar")
                                    .toString(),
                            new ProjectPom(tree).publicPackages(),
                            ApiComparison.marked(root.resolve("docs/api/breaks.tsv")))
                    .require(old, next);
        });
    }

    /** Builds the jars that users compile with. */
    private static List<Path> jars(Path tree) throws IOException, InterruptedException {
        new Subprocesses(tree)
                .run(List.of(
                        "./mvnw",
                        "-q",
                        "-DskipTests",
                        "-Dspotless.check.skip",
                        "--projects",
                        String.join(",", MODULES),
                        "--also-make",
                        "package"));
        String version = new ProjectPom(tree).version();
        List<Path> jars = new ArrayList<>();
        for (String module : MODULES) {
            jars.add(tree.resolve(module).resolve("target").resolve("outpost-" + module + "-" + version + ".jar"));
        }
        return jars;
    }
}
