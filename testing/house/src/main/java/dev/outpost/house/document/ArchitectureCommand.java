package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./outpost architecture}: compares documents with the build and the sources, and writes their generated parts. */
public final class ArchitectureCommand {
    private static final String USAGE = """
            ./outpost architecture [--write]
              --write   writes the diagram of modules in ARCHITECTURE.md, and the targets of links from documents to classes
            Prints the generated parts that differ, and names in documents that do not exist; exits with 1 if there are any.
            """;

    private ArchitectureCommand() {}

    public static void main(String[] arguments) throws IOException {
        List<String> options = List.of(arguments);
        if (!options.isEmpty() && !options.equals(List.of("--write"))) {
            System.out.print(USAGE);
            System.exit(options.contains("--help") ? 0 : 2);
        }
        Path root = Path.of("").toAbsolutePath();
        boolean isSame = true;
        for (Map.Entry<Path, String> page : GeneratedParts.expected(root).entrySet()) {
            if (!page.getValue().equals(Files.readString(page.getKey()))) {
                if (options.isEmpty()) {
                    System.err.println(page.getKey() + " differs from the sources: ./outpost architecture --write");
                    isSame = false;
                } else {
                    Files.writeString(page.getKey(), page.getValue());
                }
            }
        }
        List<String> missing = DocumentNames.missing(root);
        missing.forEach(name -> System.err.println(name + " does not exist"));
        System.exit(isSame && missing.isEmpty() ? 0 : 1);
    }
}
