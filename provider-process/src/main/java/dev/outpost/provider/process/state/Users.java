package dev.outpost.provider.process.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The UIDs of organisations on this host, stored in the state folder. A UID is never assigned to another
 * organisation, because that organisation would own the files that the first one left.
 */
public final class Users {
    private static final String FILE = StateFolder.HIDDEN + "users";
    private static final String NEXT = "next";

    private final StateFolder state;
    private final UserRange range;

    public Users(StateFolder state, UserRange range) {
        this.state = state;
        this.range = range;
    }

    /**
     * Returns the UID of an organisation; assigns one if it has none.
     *
     * @throws IllegalArgumentException if no UID is left
     */
    public int of(String organisation) throws IOException {
        return state.exclusively(() -> {
            Map<String, Integer> known = read();
            String key = "of " + organisation;
            return known.containsKey(key) ? known.get(key) : draw(known, key);
        });
    }

    /** Assigns a UID that was never used before. */
    public int another() throws IOException {
        return state.exclusively(() -> draw(read(), ""));
    }

    /** Returns the part of a folder that belongs to one UID; makes it if it does not exist. */
    public static Path partOf(Path folder, int uid) throws IOException {
        Path part = folder.resolve("uid-" + uid);
        if (!Files.isDirectory(part, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder);
            OwnFiles.give(OwnFiles.makeFolder(part), OptionalInt.of(uid));
        }
        return part;
    }

    private int draw(Map<String, Integer> known, String key) throws IOException {
        int uid = known.getOrDefault(NEXT, range.start(state.path()));
        if (!range.contains(uid)) {
            throw new IllegalArgumentException("outpost.process.users: all UIDs of " + range.text()
                    + " were given to organisations; set another range");
        }
        known.put(NEXT, uid + 1);
        if (!key.isEmpty()) {
            known.put(key, uid);
        }
        OwnFiles.write(
                state.path().resolve(FILE),
                known.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining("\n", "", "\n")));
        return uid;
    }

    private Map<String, Integer> read() {
        Map<String, Integer> known = new LinkedHashMap<>();
        OwnFiles.read(state.path().resolve(FILE)).orElse("").lines().forEach(line -> {
            String[] parts = line.split(" ", 2);
            known.put(parts[1], Integer.parseInt(parts[0]));
        });
        return known;
    }
}
