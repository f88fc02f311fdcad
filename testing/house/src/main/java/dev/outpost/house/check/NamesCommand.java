package dev.outpost.house.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** {@code ./outpost names}: prints the violations and their number by module. Exits with 1 if the limits differ. */
public final class NamesCommand {
    private static final String USAGE = """
            ./outpost names [NAME...] [--lower]
              NAME      prints the violations of a module, a rule or a part of a path; without one, the counts only
              --lower   writes lower limits where fewer are found
            """;

    private NamesCommand() {}

    public static void main(String[] arguments) throws IOException {
        List<String> names = new ArrayList<>(List.of(arguments));
        if (names.contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        boolean isLowering = names.remove("--lower");
        Path root = Path.of("").toAbsolutePath();
        NamesCheck check = NamesCheck.of(root);
        check.violations().stream().filter(isNamed(names)).forEach(System.out::println);
        if (isLowering) {
            check = check.lower();
        }
        if (names.isEmpty()) {
            System.out.print(check.counts().text());
        }
        check.problems().forEach(System.err::println);
        System.exit(check.problems().isEmpty() ? 0 : 1);
    }

    private static Predicate<Violation> isNamed(List<String> names) {
        return violation -> names.stream()
                .anyMatch(name ->
                        Stream.of(violation.module(), violation.rule().column()).anyMatch(name::equals)
                                || violation.path().contains(name));
    }
}
