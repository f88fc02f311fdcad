package dev.outpost.house.structure;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code ./outpost structure}: prints the cycles of classes, the largest packages and the lines of main code by module. */
public final class StructureCommand {
    private static final String USAGE = """
            ./outpost structure [NAME]
              NAME   prints what the classes of a package, or one class, use and are used by, within the package
            Reads compiled classes: build before, with ./mvnw test-compile -Dquarkus.build.skip.
            """;

    private static final int SMALL_CYCLE = 12;
    private static final int MANY_FILES = 30;

    private StructureCommand() {}

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        Path root = Path.of("").toAbsolutePath();
        Map<String, Set<String>> uses = ClassDependencies.of(ModuleFolders.compiledClasses(root).stream())
                .uses();
        if (uses.isEmpty()) {
            System.err.print(USAGE);
            System.exit(1);
        }
        if (arguments.length == 1) {
            printUses(uses, arguments[0]);
        } else {
            printCycles(uses);
            printPackages(PackageSizes.of(root));
            printLines(CodeLines.byModule(root));
        }
    }

    private static void printCycles(Map<String, Set<String>> uses) {
        List<Set<String>> cycles = ClassCycles.of(uses);
        System.out.printf(
                "%d files in %d cycles%n", cycles.stream().mapToInt(Set::size).sum(), cycles.size());
        for (Set<String> cycle : cycles) {
            if (cycle.size() > SMALL_CYCLE) {
                System.out.printf("cycle of %d files%n", cycle.size());
                byPackage(cycle).forEach((name, classes) -> System.out.println("  " + name + ": " + classes));
            }
        }
    }

    private static Map<String, String> byPackage(Set<String> classes) {
        return classes.stream()
                .collect(Collectors.groupingBy(
                        StructureCommand::packageOf,
                        TreeMap::new,
                        Collectors.mapping(StructureCommand::simpleName, Collectors.joining(" "))));
    }

    private static void printPackages(Map<String, Integer> sizes) {
        System.out.printf("%d packages%n", sizes.size());
        sizes.forEach((name, size) -> {
            if (size > MANY_FILES) {
                System.out.printf("%6d files  %s%n", size, name);
            }
        });
    }

    private static void printLines(Map<String, Integer> lines) {
        lines.forEach((module, count) -> System.out.printf("%8d lines  %s%n", count, module));
        System.out.printf(
                "%8d lines%n",
                lines.values().stream().mapToInt(Integer::intValue).sum());
    }

    private static void printUses(Map<String, Set<String>> uses, String name) {
        Map<String, Set<String>> users = new TreeMap<>();
        uses.forEach((user, used) -> used.forEach(
                each -> users.computeIfAbsent(each, first -> new TreeSet<>()).add(user)));
        uses.forEach((type, used) -> {
            if (type.equals(name) || packageOf(type).equals(name)) {
                System.out.println(type);
                System.out.println("  uses    " + String.join(" ", used));
                System.out.println("  used by " + String.join(" ", users.getOrDefault(type, Set.of())));
            }
        });
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
