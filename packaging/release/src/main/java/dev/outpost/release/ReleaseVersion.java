package dev.outpost.release;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A semantic version (semver.org) without a pre-release part, such as 1.4.2. */
record ReleaseVersion(int major, int minor, int patch) implements Comparable<ReleaseVersion> {
    private static final String TAG_PREFIX = "v";
    private static final Pattern FORM = Pattern.compile("(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})");

    /** @throws ReleaseException if the text is no version */
    static ReleaseVersion parse(String text) {
        return find(text)
                .orElseThrow(() ->
                        new ReleaseException("a release has a version of three numbers, such as 0.1.0, not " + text));
    }

    private static Optional<ReleaseVersion> find(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new ReleaseVersion(number(matcher, 1), number(matcher, 2), number(matcher, 3)))
                : Optional.empty();
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    /** Returns the version of a tag such as v1.4.2; empty for other tags. */
    static Optional<ReleaseVersion> ofTag(String tag) {
        return tag.startsWith(TAG_PREFIX) ? find(tag.substring(TAG_PREFIX.length())) : Optional.empty();
    }

    String tag() {
        return TAG_PREFIX + this;
    }

    /** Returns the version of the sources after this release, such as 1.5.0-SNAPSHOT. */
    String nextSnapshot() {
        return new ReleaseVersion(major, minor + 1, 0) + "-SNAPSHOT";
    }

    @Override
    public int compareTo(ReleaseVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
        return byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
