package dev.outpost.house.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./outpost architecture}: compares the generated parts of documents with the build and the sources, or writes them. */
public final class ArchitectureCommand {
    private static final String USAGE = """
            ./outpost architecture [--write]
              --write   writes the diagram of modules in ARCHITECTURE.md, and the targets of links from documents to classes
            Without it, exits with 1 if they differ from the build and the sources.
            """;

    private ArchitectureCommand() {}

    public static void main(String[] arguments) throws IOException {
        List<String> options = List.of(arguments);
        if (!options.isEmpty() && !options.equals(List.of("--write"))) {
            System.out.print(USAGE);
            System.exit(options.contains("--help") ? 0 : 2);
        }
        boolean isSame = true;
        for (Map.Entry<Path, String> page :
                GeneratedParts.expected(Path.of("").toAbsolutePath()).entrySet()) {
            if (!page.getValue().equals(Files.readString(page.getKey()))) {
                if (options.isEmpty()) {
                    System.err.println(page.getKey() + " differs from the sources: ./outpost architecture --write");
                    isSame = false;
                } else {
                    Files.writeString(page.getKey(), page.getValue());
                }
            }
        }
        System.exit(isSame ? 0 : 1);
    }
}
