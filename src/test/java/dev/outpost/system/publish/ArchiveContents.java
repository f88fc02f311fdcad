package dev.outpost.system.publish;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The contents of archives, and the differences of two; archives in archives are compared, too. */
final class ArchiveContents {
    /** Follows the name of an archive whose entries are the same, in another order or with other times. */
    static final String IN_ANOTHER_ORDER = " (order or times of entries)";

    private ArchiveContents() {}

    /** The names of entries that only one of two files has, or that differ; the file's own where it is no archive, or in order only. */
    static List<String> differences(String name, Path one, Path other) throws IOException {
        Map<String, String> first = hashes(name, Files.readAllBytes(one));
        Map<String, String> second = hashes(name, Files.readAllBytes(other));
        TreeSet<String> names = new TreeSet<>(first.keySet());
        names.addAll(second.keySet());
        List<String> different = names.stream()
                .filter(entry -> !String.valueOf(first.get(entry)).equals(second.get(entry)))
                .toList();
        return different.size()
                        == different.stream()
                                .filter(entry -> entry.endsWith(IN_ANOTHER_ORDER))
                                .count()
                ? different
                : different.stream()
                        .filter(entry -> !entry.endsWith(IN_ANOTHER_ORDER))
                        .toList();
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Map<String, String> hashes(String name, byte[] bytes) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        if (name.matches(".*\\.(jar|zip)")) {
            hashes.put(name + IN_ANOTHER_ORDER, hash(bytes));
            try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(bytes))) {
                for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                    hashes.putAll(hashes(name + "!" + entry.getName(), entries.readAllBytes()));
                }
            }
        } else {
            hashes.put(name, hash(bytes));
        }
        return hashes;
    }
}
