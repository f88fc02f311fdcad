package dev.outpost.runtime.server;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.grant.GrantRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Reads grants from a file with the hashes of their tokens, which the operator may replace at any time. A line has
 * the SHA-256 of a token in hex, and optionally its terms in the form of {@link GrantTerms#text}: {@code 9f86…0f08
 * project=acme/vision memory=1073741824 expires=2026-01-01T00:00:00Z}.
 */
final class GrantsFile {
    private static final Logger LOG = Logger.getLogger(GrantsFile.class);
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})(?: +(\\S.*))?");

    /** The properties that distinguish a replaced file from the one that was read. */
    private record Version(Object modified, long size, Object key) {
        private static final Version ABSENT = new Version("", 0, "");
    }

    private final Path file;
    private final GrantRegistry grants;
    private volatile Version read = Version.ABSENT;

    private GrantsFile(Path file, GrantRegistry grants) {
        this.file = file;
        this.grants = grants;
    }

    /** Reads the grants of a file, which need not exist yet, into the registry. Fails if an existing file is malformed. */
    static GrantsFile open(Path file, GrantRegistry grantRegistry) throws IOException {
        GrantsFile grants = new GrantsFile(file, grantRegistry);
        grants.refresh();
        return grants;
    }

    /** Reads the file if it has changed, so that new and revoked grants apply immediately. A malformed file changes nothing. */
    void refreshOrKeep() {
        try {
            refresh();
        } catch (IOException | IllegalArgumentException failure) {
            LOG.warnf("the grants stay as they were: %s", failure.getMessage());
        }
    }

    /** Reads the file if it has changed. Logs a malformed file once. */
    private void refresh() throws IOException {
        Version version = version();
        if (version.equals(read)) {
            return;
        }
        replace(version);
    }

    /** Replaces the grants. Concurrent callers wait, so that none is checked against the old file. */
    private synchronized void replace(Version version) throws IOException {
        if (version.equals(read)) {
            return;
        }
        try {
            grants.replace(version.equals(Version.ABSENT) ? Map.of() : content());
        } finally {
            read = version;
        }
    }

    private Version version() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (NoSuchFileException ignored) {
            return Version.ABSENT;
        }
    }

    private Map<String, GrantTerms> content() throws IOException {
        Map<String, GrantTerms> grants = new LinkedHashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank()) {
                Matcher matcher = LINE.matcher(line.strip());
                if (!matcher.matches()) {
                    throw malformed();
                }
                grants.put(matcher.group(1), terms(matcher.group(2)));
            }
        }
        return grants;
    }

    private static GrantTerms terms(String text) {
        try {
            return text == null ? GrantTerms.ALL : GrantTerms.parse(text);
        } catch (IllegalArgumentException ignored) {
            throw malformed();
        }
    }

    /**
     * Returns the failure for a malformed line. Its message does not contain the line, which may be a token by
     * mistake.
     */
    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "outpost.runtime.grants-file: expected lines of 64 lower-case hex digits and "
                        + "perhaps words such as memory=1073741824 expires=2026-01-01T00:00:00Z, got something else");
    }
}
