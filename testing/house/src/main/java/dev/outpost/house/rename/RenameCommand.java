package dev.outpost.house.rename;

import dev.outpost.house.source.InMemorySource;
import dev.outpost.house.source.ParsedSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** {@code ./outpost rename}: does the renames in the rows of a file, and prints the remaining work. */
public final class RenameCommand {
    private static final String USAGE = """
            ./outpost rename FILE [--check] [--skip]
              FILE      a row for each rename, with tabs between its cells: kind, what is renamed, the new name, perhaps a path
                          type      dev.outpost.A.Inner    NewName
                          method    dev.outpost.A#old      newName    or A#old(1) by the number of parameters; with what it overrides, and what overrides it
                          field     dev.outpost.A#old      newName    also a component of a record, or a constant
                          variable  LaunchGroup unit       group      api/src/main    fields, parameters, locals of a type: a word of their names;
                                                                      "=unit" is the whole name
                          caught    InterruptedException   interrupted                caught exceptions whose name is not standard;
                          caught    *                      failure/ignored            behind the slash the name where it is not used
                          keep      dev.outpost.A#old                 a field or component that rows about words leave as it is
                        for variables, "failure|exception" has further names where the first one is taken
              --check   changes nothing
              --skip    leaves out rows that cannot be followed, and prints them
            """;

    private RenameCommand() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>(List.of(arguments));
        boolean isChecking = names.remove("--check");
        boolean isSkipping = names.remove("--skip");
        if (names.size() != 1 || names.contains("--help")) {
            System.out.print(USAGE);
            System.exit(names.contains("--help") ? 0 : 2);
        }
        try {
            run(Path.of("").toAbsolutePath(), RenameRow.read(Path.of(names.getFirst())), isChecking, isSkipping);
        } catch (RefusedRenameException refusal) {
            System.err.println("outpost: nothing is renamed: " + refusal.getMessage());
            System.exit(1);
        }
    }

    private static void run(Path root, List<RenameRow> rows, boolean isChecking, boolean isSkipping)
            throws IOException, InterruptedException {
        String classPath = CompilerClassPath.of(root);
        List<InMemorySource> sources = new ArrayList<>();
        for (Path path : ParsedSources.paths(root)) {
            sources.add(new InMemorySource(TextFiles.relative(root, path), Files.readString(path)));
        }
        RenameRun run = RenameRun.of(sources, rows, classPath, isSkipping);
        if (!isChecking) {
            write(root, run.changed());
            int descriptors = DescriptorFiles.rename(
                    root, run.plan().types(), run.before().elements());
            System.out.println(descriptors + " descriptors have changed");
        }
        System.out.println(run.plan().size() + " symbols in " + run.changed().size() + " sources");
        print("rows that are left out", run.plan().refused());
        print("variables that stay", run.plan().leftOut());
        print("classes that are named by a renamed one", run.related());
        print("mentions of old names", MentionReport.of(root, run.oldNames()));
    }

    private static void write(Path root, Map<String, InMemorySource> changed) throws IOException {
        for (Map.Entry<String, InMemorySource> each : changed.entrySet()) {
            Path file = root.resolve(each.getValue().path());
            if (!each.getKey().equals(each.getValue().path())) {
                Files.move(root.resolve(each.getKey()), file);
            }
            Files.writeString(file, each.getValue().text());
        }
    }

    private static void print(String title, List<String> lines) {
        Consumer<String> printer = System.out::println;
        if (!lines.isEmpty()) {
            printer.accept(title + ":");
            lines.forEach(line -> printer.accept("  " + line));
        }
    }
}
