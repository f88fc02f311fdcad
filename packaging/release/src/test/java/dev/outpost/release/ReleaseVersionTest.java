package dev.outpost.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("quick")
class ReleaseVersionTest {
    @Test
    void numbersAreComparedAsNumbers() {
        assertTrue(ReleaseVersion.parse("0.10.0").compareTo(ReleaseVersion.parse("0.9.9")) > 0);
        assertTrue(ReleaseVersion.parse("1.0.0").compareTo(ReleaseVersion.parse("0.99.99")) > 0);
        assertEquals(
                0,
                ReleaseVersion.parse("1.2.3")
                        .compareTo(ReleaseVersion.ofTag("v1.2.3").orElseThrow()));
    }

    @Test
    void theNextSnapshotIsOfTheNextMinorVersion() {
        assertEquals("7.3.0-SNAPSHOT", ReleaseVersion.parse("7.2.7").nextSnapshot());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.3-SNAPSHOT", "1.2.x", "1.2.99999999999"})
    void otherTextsAreRefused(String text) {
        assertThrows(ReleaseException.class, () -> ReleaseVersion.parse(text));
    }

    @Test
    void tagsOfOthersAreNoReleases() {
        assertEquals(Optional.empty(), ReleaseVersion.ofTag("1.2.3"));
        assertEquals(Optional.empty(), ReleaseVersion.ofTag("vendor"));
    }
}
