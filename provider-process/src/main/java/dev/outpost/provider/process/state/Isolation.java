package dev.outpost.provider.process.state;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * How the processes of one machine are kept apart from the rest of the host. It is a file in the machine's folder, so that any
 * process that starts the machine does it in the same way.
 *
 * @param hasView whether they are in namespaces of their own, where only what is named is visible
 * @param user the UID and GID that they get from a control plane that is root; the control plane's own where it is empty
 * @param readable paths that they see besides the system's
 * @param writable folders that the runtime, but no job, may also write
 */
public record Isolation(boolean hasView, OptionalInt user, List<Path> readable, List<Path> writable) {
    private static final String VIEW = "view ";
    private static final String USER = "user ";
    private static final String READ = "read ";
    private static final String WRITE = "write ";

    public Isolation {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
    }

    /** Whether another user has to come by the folders above the machine's. In a view of its own it has other ones above it. */
    boolean needsPassage() {
        return user.isPresent() && !hasView;
    }

    String write() {
        List<String> lines = new ArrayList<>(List.of(VIEW + hasView));
        user.ifPresent(uid -> lines.add(USER + uid));
        readable.forEach(path -> lines.add(READ + path));
        writable.forEach(path -> lines.add(WRITE + path));
        return String.join("\n", lines) + "\n";
    }

    static Isolation read(String text) {
        return new Isolation(
                values(text, VIEW).contains("true"),
                values(text, USER).stream().mapToInt(Integer::parseInt).findFirst(),
                values(text, READ).stream().map(Path::of).toList(),
                values(text, WRITE).stream().map(Path::of).toList());
    }

    private static List<String> values(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()))
                .toList();
    }
}
