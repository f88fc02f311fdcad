package dev.outpost.house.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Names of all modules follow the rules, as far as {@code limits.tsv} requires. {@code ./outpost names} does the same without Maven, and
 * {@code ./outpost names --lower} writes lower limits.
 */
@Tag("quick")
class NamesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void eachModuleHasAsManyViolationsAsItsLimitsSay() throws Exception {
        assertEquals("", String.join("\n", NamesCheck.of(ROOT).problems()));
    }
}
