package dev.outpost.provider.mock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MissingFlagsTest {
    @Test
    void missingFlagsAreNamedInOneSentence() {
        assertEquals(
                Optional.of("Outpost: start Java with --enable-native-access=ALL-UNNAMED"
                        + " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED to multiply large matrices ten times as"
                        + " fast on the mock."),
                MissingFlags.sentence(false, false));
        assertEquals(
                Optional.of(
                        "Outpost: start Java with --add-exports=java.base/jdk.internal.module=ALL-UNNAMED to compute"
                                + " exponentials and their like faster on the mock."),
                MissingFlags.sentence(true, false));
        assertEquals(
                Optional.of(
                        "Outpost: start Java with --enable-native-access=ALL-UNNAMED to multiply large matrices ten times"
                                + " as fast on the mock."),
                MissingFlags.sentence(false, true));
    }

    @Test
    void nothingIsSaidWhereNoFlagIsMissing() {
        assertEquals(Optional.empty(), MissingFlags.sentence(true, true));
    }
}
