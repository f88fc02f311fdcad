package dev.outpost.runtime.source;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sources that a runtime may open.
 *
 * @param allowed URIs; a source must be one of them, or below one. If the list is empty, no source may be opened
 * @param volumes the folders of {@code volume:} URIs, by name
 * @param cache the cache for files of remote stores; empty to cache nothing
 * @param secrets the secrets that the machine is given while it runs
 */
public record SourceSettings(
        List<String> allowed, Map<String, Path> volumes, Optional<SourceCache> cache, SourceSecrets secrets) {
    private static final Pattern VOLUME = Pattern.compile("volume:([A-Za-z0-9][A-Za-z0-9._-]*)=(/.*)");

    public static final SourceSettings CLOSED = parse("");

    public SourceSettings {
        allowed = allowed.stream().map(SourceSettings::plain).toList();
        volumes = Map.copyOf(volumes);
        for (String uri : allowed) {
            if (uri.indexOf(':') <= 0) {
                throw new IllegalArgumentException(
                        "sources: expected URIs such as file:/models or s3://bucket/models, got \"" + uri + "\"");
            }
        }
    }

    /**
     * Parses URIs that are separated by commas. A volume is written with its folder, as {@code
     * volume:models=/mnt/models}.
     */
    public static SourceSettings parse(String text) {
        List<String> allowed = new ArrayList<>();
        Map<String, Path> volumes = new HashMap<>();
        for (String entry : text.split(",")) {
            String uri = entry.strip();
            if (uri.startsWith("volume:")) {
                allowed.add(addVolume(uri, volumes));
            } else if (!uri.isEmpty()) {
                allowed.add(uri);
            }
        }
        return new SourceSettings(allowed, volumes, Optional.empty(), new SourceSecrets());
    }

    private static String addVolume(String entry, Map<String, Path> volumes) {
        Matcher parts = VOLUME.matcher(entry);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "sources: expected volume:NAME=/FOLDER, such as volume:models=/mnt/models, got \"" + entry + "\"");
        }
        Path other = volumes.put(parts.group(1), Path.of(parts.group(2)));
        if (other != null) {
            throw new IllegalArgumentException(
                    "sources: volume:" + parts.group(1) + " has two folders, " + other + " and " + parts.group(2));
        }
        return "volume:" + parts.group(1);
    }

    /** Returns settings with the same URIs and this cache. */
    public SourceSettings withCache(SourceCache kept) {
        return new SourceSettings(allowed, volumes, Optional.of(kept), secrets);
    }

    /** Returns settings with the other settings' URIs and volumes and this cache. */
    public SourceSettings withAllowed(SourceSettings others) {
        return new SourceSettings(others.allowed, others.volumes, cache, others.secrets);
    }

    /** Returns the allowed URIs of a scheme. */
    public List<String> allowed(String scheme) {
        return allowed.stream().filter(uri -> uri.startsWith(scheme + ":")).toList();
    }

    /** Fails if a URI is neither allowed nor below an allowed one. */
    public void require(String uri) {
        String plain = plain(uri);
        boolean isAllowed = Stream.of(plain.split("/", -1)).noneMatch(part -> part.equals("..") || part.equals("."))
                && allowed.stream().anyMatch(each -> isWithin(plain, each));
        if (!isAllowed) {
            throw refusal(uri);
        }
    }

    private static boolean isWithin(String uri, String allowed) {
        return uri.equals(allowed)
                || uri.startsWith(allowed.endsWith("/") || allowed.endsWith(":") ? allowed : allowed + "/")
                // A revision of a repository.
                || uri.startsWith(allowed + "@");
    }

    /** Returns the failure for a URI that is not allowed. */
    public OutpostException refusal(String uri) {
        String known = allowed.isEmpty() ? "nothing" : String.join(", ", allowed);
        return new OutpostException(
                FaultKind.USER,
                "open: the machine may not open " + uri + ", only " + known
                        + "; its setting of sources (OUTPOST_RUNTIME_SOURCES) lists the allowed ones");
    }

    /** Normalizes a URI: {@code file:///x/} and {@code file:/x} are the same. */
    private static String plain(String uri) {
        String shorter = uri.startsWith("file:///") ? "file:/" + uri.substring("file:///".length()) : uri;
        return shorter.endsWith("/") && shorter.length() > 1 && !shorter.endsWith(":/") && !shorter.endsWith("://")
                ? shorter.substring(0, shorter.length() - 1)
                : shorter;
    }
}
