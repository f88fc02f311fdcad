package dev.outpost.house.prose;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** {@code ./outpost sentences}: counts and prints odd sentences, and draws samples to rate. Exits with 1 if a limit is exceeded. */
public final class SentencesCommand {
    private static final String USAGE = """
            ./outpost sentences [NAME...] [--lower] [--sample N SEED]
              NAME             prints the odd sentences of a module ("api"), of "docs" or of "docs/adr"; without one, the counts only
              --lower          writes lower limits where fewer are found
              --sample N SEED  prints N sentences drawn at random, for a reader to rate
            """;

    private SentencesCommand() {}

    public static void main(String[] arguments) throws IOException {
        List<String> names = new ArrayList<>(List.of(arguments));
        if (names.contains("--help")) {
            System.out.print(USAGE);
            return;
        }
        SentencesCheck check = SentencesCheck.of(Path.of("").toAbsolutePath());
        if (names.contains("--sample")) {
            int at = names.indexOf("--sample");
            sample(check, Integer.parseInt(names.get(at + 1)), Long.parseLong(names.get(at + 2)));
            return;
        }
        if (names.remove("--lower")) {
            check.lower();
            check = SentencesCheck.of(Path.of("").toAbsolutePath());
        }
        for (String name : names) {
            check.odd(name).forEach(System.out::println);
        }
        if (names.isEmpty()) {
            System.out.print(check.table());
        }
        check.problems().forEach(System.err::println);
        System.exit(check.problems().isEmpty() ? 0 : 1);
    }

    private static void sample(SentencesCheck check, int count, long seed) {
        List<Sentence> all = new ArrayList<>(check.all());
        Collections.shuffle(all, new Random(seed));
        all.stream().limit(count).forEach(System.out::println);
    }
}
