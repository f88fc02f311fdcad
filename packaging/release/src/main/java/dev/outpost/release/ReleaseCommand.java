package dev.outpost.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code ./outpost release}: checks, tests and builds a version, writes it to a folder, and tags it. All of it happens in a second work tree
 * of the last commit. The branch moves and the tag appears at the end, so a release that fails changes nothing.
 */
public final class ReleaseCommand {
    private static final String IMAGE = "((?:outpost-dev/|/outpost-)(?:runtime|backend|serving))";
    private static final String CHANGELOG = "CHANGELOG.md";
    private static final String NOTES = "RELEASE-NOTES.md";
    private static final String CHECKSUMS = "SHA256SUMS";

    private final Path root;
    private final ReleaseOptions options;
    private final LocalDate date;
    private final SourceRepository sources;
    /** The texts of the files that contain the snapshot's version, by path. */
    private Map<String, String> snapshots = Map.of();

    ReleaseCommand(Path root, ReleaseOptions options, LocalDate date) {
        this.root = root;
        this.options = options;
        this.date = date;
        sources = new SourceRepository(root);
    }

    public static void main(String[] arguments) throws Exception {
        Path caller =
                Path.of(Optional.ofNullable(System.getenv("OUTPOST_CALLER")).orElse(""));
        try {
            ReleaseOptions options = ReleaseOptions.parse(List.of(arguments), caller);
            new ReleaseCommand(Path.of("").toAbsolutePath(), options, LocalDate.now(ZoneOffset.UTC)).run();
        } catch (ReleaseException failure) {
            System.err.println("outpost: " + failure.getMessage());
            System.exit(1);
        }
    }

    /** @throws ReleaseException if a check fails or a step fails; nothing is changed then but the folder of the release */
    void run() throws IOException, InterruptedException {
        List<String> problems = problems();
        if (!problems.isEmpty()) {
            throw new ReleaseException("no release:\n  " + String.join("\n  ", problems));
        }
        sources.inWorkTree("HEAD", tree -> {
            build(tree);
            publish(tree);
        });
    }

    // ---- checks

    private List<String> problems() throws IOException, InterruptedException {
        List<String> problems = new ArrayList<>();
        if (!sources.isClean()) {
            problems.add("the work tree has changes that are not committed");
        }
        Optional<ReleaseVersion> last = sources.lastRelease();
        last.filter(release -> release.compareTo(options.version()) >= 0)
                .ifPresent(release -> problems.add(
                        "the last release is " + release + ", which is not older than " + options.version()));
        String version = new ProjectPom(root).version();
        if (!version.endsWith("-SNAPSHOT")) {
            problems.add("pom.xml has the version " + version + ", which is not a snapshot");
        }
        if (new Changelog(Files.readString(root.resolve(CHANGELOG)))
                .unreleased()
                .isEmpty()) {
            problems.add(CHANGELOG + " has no unreleased changes");
        }
        if (Files.exists(options.directory()) && !isEmpty(options.directory())) {
            problems.add("the folder " + options.directory() + " is not empty");
        }
        return problems;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }

    // ---- the steps, in the second work tree

    private void build(Path tree) throws IOException, InterruptedException {
        Optional<ReleaseVersion> last = sources.lastRelease();
        List<String> commits =
                sources.commits(last.map(release -> release.tag() + "..HEAD").orElse("HEAD"));
        String since = last.map(release -> " since " + release).orElse("");
        String snapshot = new ProjectPom(tree).version();
        Path changelog = tree.resolve(CHANGELOG);
        Changelog before = new Changelog(Files.readString(changelog));
        Files.writeString(changelog, before.released(options.version(), date).text());
        if (last.isPresent()) {
            setImages(tree, last.get());
        }
        snapshots = filesWith(tree, snapshot);
        setVersion(tree, snapshot, options.version().toString());
        commit(tree, "Release " + options.version());
        Subprocesses programs = new Subprocesses(tree);
        String outpost = tree.resolve("outpost").toString();
        if (options.isTested()) {
            programs.run(List.of(outpost, "test"));
        }
        if (last.isPresent()) {
            programs.run(List.of(outpost, "api-changes", "--since", last.get().tag()));
        }
        Files.createDirectories(options.directory());
        List<String> publish = new ArrayList<>(
                List.of(outpost, "publish", options.directory().resolve("maven").toString()));
        options.key().ifPresent(key -> publish.addAll(List.of("--key", key)));
        programs.run(publish);
        if (options.hasImages()) {
            programs.run(List.of(
                    tree.resolve("packaging/release/images").toString(),
                    options.version().toString(),
                    options.directory().resolve("images").toString()));
        }
        Files.writeString(options.directory().resolve(NOTES), notes(before.unreleased(), since, commits));
        writeChecksums(programs);
    }

    private String notes(String changes, String since, List<String> commits) {
        StringBuilder notes = new StringBuilder("# Outpost " + options.version() + "\n\n" + changes);
        notes.append("\n\n## Commits").append(since).append("\n\n");
        commits.forEach(subject -> notes.append("- ").append(subject).append('\n'));
        return notes.toString();
    }

    /** Returns the texts of all files that contain a text, by path. */
    private static Map<String, String> filesWith(Path tree, String text) throws IOException, InterruptedException {
        Map<String, String> texts = new TreeMap<>();
        for (String file : new SourceRepository(tree).filesWith(text)) {
            texts.put(file, Files.readString(tree.resolve(file)));
        }
        return texts;
    }

    /** Gives the images that manifests, settings and documents name the version of the release. They had that of the last one. */
    private void setImages(Path tree, ReleaseVersion last) throws IOException, InterruptedException {
        Pattern tag = Pattern.compile(IMAGE + Pattern.quote(":" + last) + "(?![\\w.])");
        for (Map.Entry<String, String> file : filesWith(tree, ":" + last).entrySet()) {
            String text = tag.matcher(file.getValue()).replaceAll("$1:" + options.version());
            Files.writeString(tree.resolve(file.getKey()), text);
        }
    }

    /** Writes a version to all files that had the snapshot's. */
    private void setVersion(Path tree, String snapshot, String version) throws IOException {
        for (Map.Entry<String, String> file : snapshots.entrySet()) {
            Files.writeString(tree.resolve(file.getKey()), file.getValue().replace(snapshot, version));
        }
    }

    private static void commit(Path tree, String message) throws IOException, InterruptedException {
        new SourceRepository(tree).git("commit", "--quiet", "--all", "--message", message);
    }

    private void writeChecksums(Subprocesses programs) throws IOException, InterruptedException {
        Path directory = options.directory();
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        StringBuilder sums = new StringBuilder();
        for (Path file : files) {
            sums.append(Sha256.of(file))
                    .append("  ")
                    .append(directory.relativize(file))
                    .append('\n');
        }
        Path list = directory.resolve(CHECKSUMS);
        Files.writeString(list, sums);
        if (options.key().isPresent()) {
            programs.run(List.of(
                    "gpg",
                    "--batch",
                    "--armor",
                    "--local-user",
                    options.key().get(),
                    "--detach-sign",
                    list.toString()));
        }
    }

    // ---- the end

    private void publish(Path tree) throws IOException, InterruptedException {
        SourceRepository released = new SourceRepository(tree);
        String release = released.git("rev-parse", "HEAD");
        setVersion(tree, new ProjectPom(root).version(), options.version().nextSnapshot());
        commit(tree, "Begin " + options.version().nextSnapshot());
        String next = released.git("rev-parse", "HEAD");
        List<String> tag = new ArrayList<>(List.of("tag", "--message", "Outpost " + options.version()));
        options.key().ifPresentOrElse(key -> tag.addAll(List.of("--local-user", key)), () -> tag.add("--annotate"));
        tag.addAll(List.of(options.version().tag(), release));
        // The tag comes first, because its signature may fail, and the branch cannot be moved back.
        sources.git(tag.toArray(String[]::new));
        try {
            sources.git("merge", "--quiet", "--ff-only", next);
        } catch (ReleaseException failure) {
            sources.git("tag", "--delete", options.version().tag());
            throw failure;
        }
        System.out.println("released " + options.version() + " to " + options.directory()
                + "; push the branch and the tag " + options.version().tag());
    }
}
