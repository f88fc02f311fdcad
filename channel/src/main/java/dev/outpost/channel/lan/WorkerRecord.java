package dev.outpost.channel.lan;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The announcement of a worker, as the TXT record of its service. It contains no secret, and clients do not trust it:
 * a client only uses the certificate in it as the expected one when it connects.
 *
 * @param name its name for people, 1 to 63 letters, digits, dashes, dots and underscores
 * @param engine its engine, such as {@code cuda}
 * @param gpu the name of its GPU, or of the device that computes in its place; at most {@value #MAX_TEXT} characters
 * @param memoryBytes the memory for the values of all sessions, in bytes
 * @param freeBytes the free part of that, in bytes
 * @param formats the model formats that it runs, such as {@code onnx}
 * @param sessions the number of sessions on it
 * @param version the version of Outpost that it runs
 * @param certificate the SHA-256 of its certificate, 64 hex digits
 */
public record WorkerRecord(
        String name,
        String engine,
        String gpu,
        long memoryBytes,
        long freeBytes,
        List<String> formats,
        int sessions,
        String version,
        String certificate) {
    /** The service's type in mDNS. */
    public static final String SERVICE = "_outpost._tcp.local.";

    /** The record's only version. */
    private static final String VERSION = "1";

    static final int MAX_TEXT = 100;
    private static final int MAX_FORMATS = 16;
    private static final int MAX_SESSIONS = 1_000_000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}");
    private static final Pattern TEXT = Pattern.compile("[ -~]{1," + MAX_TEXT + "}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public WorkerRecord {
        formats = List.copyOf(formats);
        require("name", NAME, name);
        require("engine", WORD, engine);
        require("gpu", TEXT, gpu);
        require("version", WORD, version);
        require("certificate", SHA256, certificate);
        formats.forEach(format -> require("format", WORD, format));
        if (formats.size() > MAX_FORMATS || sessions < 0 || sessions > MAX_SESSIONS) {
            throw new IllegalArgumentException("announcement: expected at most " + MAX_FORMATS + " formats and "
                    + MAX_SESSIONS + " sessions, got " + formats.size() + " and " + sessions);
        }
        if (memoryBytes < 0 || freeBytes < 0 || freeBytes > memoryBytes) {
            throw new IllegalArgumentException(
                    "announcement: expected free memory within the memory, got " + freeBytes + " of " + memoryBytes);
        }
    }

    /** Returns the entries of the TXT record. */
    public Map<String, String> entries() {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("v", VERSION);
        entries.put("name", name);
        entries.put("engine", engine);
        entries.put("gpu", gpu);
        entries.put("memory", Long.toString(memoryBytes));
        entries.put("free", Long.toString(freeBytes));
        entries.put("formats", String.join(",", formats));
        entries.put("sessions", Integer.toString(sessions));
        entries.put("version", version);
        entries.put("sha256", certificate);
        return entries;
    }

    /** Parses the entries of a TXT record. Throws an {@link IllegalArgumentException} that describes the error. */
    public static WorkerRecord parse(Map<String, String> entries) {
        if (!VERSION.equals(entries.get("v"))) {
            throw new IllegalArgumentException(
                    "announcement: expected v=" + VERSION + ", got " + shown(entries.get("v")));
        }
        return new WorkerRecord(
                text(entries, "name"),
                text(entries, "engine"),
                text(entries, "gpu"),
                number(entries, "memory"),
                number(entries, "free"),
                words(text(entries, "formats")),
                (int) Math.min(number(entries, "sessions"), Integer.MAX_VALUE),
                text(entries, "version"),
                text(entries, "sha256"));
    }

    /** Converts a text, such as a host name, to a valid name. */
    public static String nameOf(String text) {
        String plain = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
        return plain.isEmpty() ? "worker" : plain.substring(0, Math.min(63, plain.length()));
    }

    /**
     * Converts any text to a valid one: replaces characters outside of ASCII, and truncates it to {@value #MAX_TEXT}
     * characters.
     */
    public static String textOf(String text) {
        String plain = text.replaceAll("[^ -~]", "?");
        return plain.isEmpty() ? "?" : plain.substring(0, Math.min(MAX_TEXT, plain.length()));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split(",", -1));
    }

    private static String text(Map<String, String> entries, String key) {
        String value = entries.get(key);
        if (value == null) {
            throw new IllegalArgumentException("announcement: " + key + " is missing");
        }
        return value;
    }

    private static long number(Map<String, String> entries, String key) {
        String text = text(entries, key);
        require(key, NUMBER, text);
        return Long.parseLong(text);
    }

    private static void require(String what, Pattern pattern, String value) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "announcement: " + what + " must match " + pattern + ", got " + shown(value));
        }
    }

    /** Truncates and cleans a text of an unknown sender for messages. */
    private static String shown(@Nullable String text) {
        if (text == null) {
            return "nothing";
        }
        String cut = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text;
        return "\"" + cut.replaceAll("[^ -~]", "?") + "\"";
    }
}
