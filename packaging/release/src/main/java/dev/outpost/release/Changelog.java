package dev.outpost.release;

import java.time.LocalDate;

/**
 * CHANGELOG.md in the form of "Keep a Changelog": a section for each version, the newest first. Changes that no release has yet are in the
 * section {@code ## [Unreleased]}.
 */
record Changelog(String text) {
    private static final String UNRELEASED = "## [Unreleased]\n";
    private static final String SECTION = "\n## [";

    /** @throws ReleaseException if the section of unreleased changes is missing */
    Changelog {
        if (!text.contains(UNRELEASED)) {
            throw new ReleaseException("CHANGELOG.md has no line \"" + UNRELEASED.strip() + "\"");
        }
    }

    /** Returns the text of the unreleased changes, without the heading. */
    String unreleased() {
        return text.substring(start(), end()).strip();
    }

    private int start() {
        return text.indexOf(UNRELEASED) + UNRELEASED.length();
    }

    private int end() {
        int next = text.indexOf(SECTION, start() - 1);
        return next < 0 ? text.length() : next + 1;
    }

    /** Returns the changelog in which the unreleased changes are those of a version. */
    Changelog released(ReleaseVersion version, LocalDate date) {
        String rest = text.substring(end());
        return new Changelog(text.substring(0, start()) + "\n## [" + version + "] - " + date + "\n\n" + unreleased()
                + "\n" + (rest.isEmpty() ? "" : "\n" + rest));
    }
}
