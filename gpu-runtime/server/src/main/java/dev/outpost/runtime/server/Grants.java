package dev.outpost.runtime.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Tokens of which only the hashes are known, in a file that whoever started the machine may replace at any time. A line is the
 * SHA-256 of a token in hex, and perhaps until when it counts: {@code 9f86…0f08 expires=2026-01-01T00:00:00Z}.
 */
final class Grants {
    private static final Logger LOG = Logger.getLogger(Grants.class);
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})(?: expires=(\\S+))?");

    /** None at all. */
    static final Grants NONE = new Grants(Optional.empty(), InstantSource.system());

    private record Grant(byte[] hash, Optional<Instant> expires) {
        boolean isOf(byte[] candidate) {
            return MessageDigest.isEqual(hash, candidate);
        }

        boolean holdsAt(Instant now) {
            return expires.filter(end -> !now.isBefore(end)).isEmpty();
        }
    }

    /** By what a replaced file is told from the one that was read. */
    private record Version(Object modified, long size, Object key) {
        private static final Version ABSENT = new Version("", 0, "");
    }

    private record Content(Version version, List<Grant> grants) {}

    private final Optional<Path> file;
    private final InstantSource clock;
    private volatile Content content = new Content(Version.ABSENT, List.of());

    private Grants(Optional<Path> file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /** Those of a file, which need not be there yet; one that is there must make sense. */
    static Grants in(Path file, InstantSource clock) throws IOException {
        Grants grants = new Grants(Optional.of(file), clock);
        grants.refresh(file);
        return grants;
    }

    /** Whether a token of this hash opens sessions now. Looks at the file, so that what was bound or revoked counts at once. */
    boolean admit(byte[] hash) {
        file.ifPresent(this::refreshOrKeep);
        Instant now = clock.instant();
        boolean admitted = false;
        for (Grant grant : content.grants()) {
            admitted |= grant.isOf(hash) & grant.holdsAt(now);
        }
        return admitted;
    }

    private void refreshOrKeep(Path path) {
        try {
            refresh(path);
        } catch (IOException | IllegalArgumentException unreadable) {
            LOG.warnf("the grants stay as they were: %s", unreadable.getMessage());
        }
    }

    /** A file that makes no sense is complained of once. */
    private void refresh(Path path) throws IOException {
        Version version = version(path);
        if (version.equals(content.version())) {
            return;
        }
        try {
            content = new Content(version, version.equals(Version.ABSENT) ? List.of() : read(path));
        } catch (IllegalArgumentException malformed) {
            content = new Content(version, content.grants());
            throw malformed;
        }
    }

    private static Version version(Path path) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (NoSuchFileException absent) {
            return Version.ABSENT;
        }
    }

    private static List<Grant> read(Path path) throws IOException {
        return Files.readAllLines(path).stream()
                .filter(line -> !line.isBlank())
                .map(Grants::parse)
                .toList();
    }

    private static Grant parse(String line) {
        Matcher matcher = LINE.matcher(line.strip());
        if (!matcher.matches()) {
            throw malformed();
        }
        try {
            return new Grant(
                    HexFormat.of().parseHex(matcher.group(1)),
                    Optional.ofNullable(matcher.group(2)).map(Instant::parse));
        } catch (DateTimeException unreadable) {
            throw malformed();
        }
    }

    /** Without the line, which may be a token by mistake. */
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "outpost.runtime.grants-file: expected lines of 64 lower-case hex digits and "
                        + "perhaps expires=2026-01-01T00:00:00Z, got something else");
    }
}
