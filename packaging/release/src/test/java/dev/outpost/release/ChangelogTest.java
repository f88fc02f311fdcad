package dev.outpost.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ChangelogTest {
    private static final LocalDate DATE = LocalDate.of(2026, 12, 1);

    @Test
    void unreleasedChangesBecomeThoseOfTheVersion() {
        Changelog before = new Changelog(
                "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- An op.\n\n## [0.1.0] - 2026-11-01\n\n- All.\n");
        assertEquals("### Added\n\n- An op.", before.unreleased());
        Changelog after = before.released(ReleaseVersion.parse("0.2.0"), DATE);
        assertEquals(
                "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- An op.\n\n## [0.1.0] - 2026-11-01\n\n- All.\n",
                after.text());
        assertEquals("", after.unreleased());
    }

    @Test
    void theFirstReleaseHasNoOlderSection() {
        Changelog first = new Changelog("## [Unreleased]\n- All.").released(ReleaseVersion.parse("0.1.0"), DATE);
        assertEquals("## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n- All.\n", first.text());
    }

    @Test
    void aChangelogWithoutTheSectionIsRefused() {
        assertThrows(ReleaseException.class, () -> new Changelog("# Changelog\n"));
    }
}
