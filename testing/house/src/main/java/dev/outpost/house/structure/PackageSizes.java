package dev.outpost.house.structure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The number of source files of each package. Generated sources do not count, and neither does {@code package-info.java}. */
public final class PackageSizes {
    private PackageSizes() {}

    /** The numbers of files of main code by package, over all modules. */
    public static Map<String, Integer> of(Path root) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (Path sources : ModuleFolders.mainSources(root)) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                        .collect(Collectors.groupingBy(Path::getParent, Collectors.summingInt(ignored -> 1)))
                        .forEach((folder, size) -> sizes.merge(name(sources.relativize(folder)), size, Integer::sum));
            } catch (IOException exception) {
                throw new UncheckedIOException(exception);
            }
        }
        return sizes;
    }

    private static String name(Path folder) {
        return folder.toString().replace(folder.getFileSystem().getSeparator(), ".");
    }
}
